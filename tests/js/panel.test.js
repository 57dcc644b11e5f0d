import assert from "node:assert/strict";
import {test} from "node:test";

import {fitsPanel, stepOfHistory} from "../../static/js/panel.js";

const HOST = "crosstable.example";

test("a panel shows matches, competitors, explanations and comparisons, in every language", () => {
  for (const page of ["rounds/3/12/", "competitors/4/", "competitors/4/values/", "competitors/4/solkoff/", "compare/4/12/"]) {
    for (const language of ["", "/nl"]) {
      assert.ok(fitsPanel(new URL(`https://${HOST}${language}/events/two-teams/${page}`), HOST), page);
    }
  }
});

test("a panel shows no other page", () => {
  for (const page of ["", "rounds/3/", "standings/", "competitors/", "competitors/4/values/2/", "rounds/3/12", "compare/"]) {
    assert.ok(!fitsPanel(new URL(`https://${HOST}/events/two-teams/${page}`), HOST), page);
  }
});

test("a panel shows no place within a page and nothing of another host", () => {
  const address = `https://${HOST}/events/two-teams/competitors/4/`;
  assert.ok(!fitsPanel(new URL(`${address}#notes`), HOST));
  assert.ok(!fitsPanel(new URL(address), "elsewhere.example"));
});

test("Back to the page closes the panel", () => {
  assert.equal(stepOfHistory("/events/a/standings/", undefined, "/events/a/standings/"), "close");
});

test("Forward to a panel of the page that is shown opens it", () => {
  assert.equal(stepOfHistory("/events/a/rounds/1/2/", "/events/a/standings/", "/events/a/standings/"), "open");
});

test("where another page lies below it is loaded", () => {
  assert.equal(stepOfHistory("/events/a/rounds/1/2/", "/events/a/standings/", "/events/a/crosstable/"), "reload");
  assert.equal(stepOfHistory("/events/a/crosstable/", undefined, "/events/a/standings/"), "reload");
});
