// Shows what another list of criteria, or another system, would move, as soon as it is chosen; nothing is stored.
// Without this script the button beside "Save" asks for the same.

const PAUSE = 300; // milliseconds: one who holds an arrow key asks once

for (const form of document.querySelectorAll("form[data-trial]")) follow(form);

function follow(form) {
  const shown = form.querySelector(".trial");
  let timer = 0;
  let asked = 0;

  async function ask() {
    const turn = ++asked;
    const fields = new FormData(form);
    fields.set("try", "fragment");
    try {
      const answer = await fetch(form.action, {method: "POST", body: fields, redirect: "manual"});
      // An answer to an older list must not stand below a newer one.
      if (turn !== asked) return;
      shown.innerHTML = answer.ok ? await answer.text() : "";
    } catch {
      if (turn === asked) shown.replaceChildren();
    }
    tell();
  }

  // The list may be long: what is read out is its first line alone.
  function tell() {
    const status = form.querySelector("[role=status]");
    const summary = shown.querySelector("[data-summary]")?.textContent.trim();
    if (status && summary) status.textContent += `. ${summary}`;
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  }

  form.addEventListener("reordered", later);
  form.addEventListener("change", event => {
    if (["system", "edition"].includes(event.target.name)) later();
  });
}
