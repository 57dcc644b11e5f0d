import assert from "node:assert/strict";
import {test} from "node:test";

import {linksElsewhere, linksIn} from "../../static/js/highlight.js";

const linkTo = address => ({address, getAttribute: () => address});
const partOf = links => ({querySelectorAll: () => links, contains: link => links.includes(link)});

test("links are found by their address", () => {
  const [one, other, alike] = [linkTo("rounds/1/2/"), linkTo("rounds/2/1/"), linkTo("rounds/1/2/")];
  const links = linksIn(partOf([one, other, alike]));
  assert.deepEqual([...links], [["rounds/1/2/", [one, alike]], ["rounds/2/1/", [other]]]);
});

test("a row meets the other cells of its pairings, and none of its own", () => {
  const own = [linkTo("rounds/1/2/"), linkTo("rounds/2/1/")];
  const [first, second, neither] = [linkTo("rounds/1/2/"), linkTo("rounds/2/1/"), linkTo("rounds/3/1/")];
  assert.deepEqual(linksElsewhere(partOf(own), linksIn(partOf([...own, first, neither, second]))), [first, second]);
});

test("a row whose links lead where no other row leads meets nobody", () => {
  const own = [linkTo("rounds/1/2/"), linkTo("rounds/1/2/")];
  assert.deepEqual(linksElsewhere(partOf(own), linksIn(partOf(own))), []);
});

test("later rows are left out until they are among the links of the table", () => {
  const [known, later] = [linkTo("rounds/1/2/"), linkTo("rounds/1/3/")];
  assert.deepEqual(linksElsewhere(partOf([later]), linksIn(partOf([known]))), []);
});
