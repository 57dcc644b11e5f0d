// How many results of the event were typed in this browser and are not at the server (results/storage.js).

import {countByRound} from "./results/storage.js";
import {fill} from "./text.js";

const notice = document.querySelector("#unsent");

function linkTo(round, count) {
  const link = document.createElement("a");
  link.href = notice.dataset.address.replace("/rounds/0/", `/rounds/${round}/`);
  link.textContent = fill(notice.dataset.link, {round, count});
  return link;
}

function show() {
  const rounds = countByRound(notice.dataset.event);
  const count = rounds.reduce((total, [, each]) => total + each, 0);
  notice.hidden = !count;
  const sentence = count === 1 ? notice.dataset.one : notice.dataset.several;
  const links = rounds.flatMap(([round, each]) => [" ", linkTo(round, each)]);
  notice.replaceChildren(fill(sentence, {count}), ...links);
}

show();
addEventListener("storage", show);
addEventListener("pageshow", show);
