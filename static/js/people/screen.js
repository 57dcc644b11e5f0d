// The queue of likely links by single keys; without this script it is a form like any other.

import {fill} from "../text.js";
import {decided, indexAfter, meaning} from "./keys.js";

const form = document.querySelector("#links");
const status = document.querySelector("#links-decided");
const keys = document.querySelector("#keys");

if (form) {
  const links = [...form.querySelectorAll("[data-link]")];
  const radios = link => [...link.querySelectorAll("input[type=radio]")];
  const answer = link => radios(link).find(each => each.checked)?.value;

  function focus(at) {
    const link = links[at];
    (radios(link).find(each => each.checked) ?? radios(link)[0]).focus({preventScroll: true});
    link.scrollIntoView({block: "nearest"});
  }

  function tell() {
    status.textContent = fill(status.dataset.text, {count: decided(links.map(answer)), all: links.length});
  }

  function give(at, value) {
    const radio = radios(links[at]).find(each => each.value === value);
    if (!radio) return;
    radio.checked = true;
    tell();
    focus(indexAfter(at, 1, links.length));
  }

  document.addEventListener("keydown", event => {
    const isWriting = event.target.matches("input:not([type=radio]), textarea, select");
    const action = meaning(event, {isWriting});
    if (!action) return;
    const at = links.findIndex(each => each.contains(document.activeElement));
    if (action.help) keys.open = !keys.open;
    else if (action.send) form.requestSubmit();
    else if (action.step) focus(indexAfter(at, action.step, links.length));
    else if (at < 0) focus(0); // the first key shows where the next one will count
    else give(at, action.answer);
    event.preventDefault();
  });
  form.addEventListener("change", tell);
  for (const each of document.querySelectorAll("#keys, #keys [hidden]")) each.hidden = false;
  tell();
}
