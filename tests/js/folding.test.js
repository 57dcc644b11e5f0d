import assert from "node:assert/strict";
import {test} from "node:test";

import {folded, spellingsOf} from "../../static/js/folding.js";

test("case, diacritics, script and punctuation make no difference", () => {
  assert.equal(folded(" Ołówek  ÇA Ærø "), "olowek ca aero");
  assert.equal(folded("O’Kelly, Den-Haag (NED) İzmir Weiß"), "okelly den haag ned izmir weiss");
  assert.equal(folded("Алексей Чижов, Щёголев Сольный"), "aleksei chizhov shchegolev solnyi");
  assert.equal(folded("Παπαϊωάννου ნონა Տիգրան Ґонгадзе Өнөр"), "papaioannoy nona tigran gongadze onor");
});

test("a word and one with a single wrong letter share a form, short words and numbers have none", () => {
  for (const typed of ["karlsen", "carlsn", "caarlsen", "calrsen"]) {
    assert.ok(spellingsOf(typed).some(form => spellingsOf("carlsen").includes(form)), typed);
  }
  for (const word of ["ann", "2019", "x".repeat(30)]) assert.deepEqual(spellingsOf(word), []);
});
