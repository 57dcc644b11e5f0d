// How many results of the event were typed in this browser and are not at the server: the results screen keeps
// each under `results:event:round:account:id` until it is answered (results/entries.js).
(() => {
  const told = document.querySelector("#unsent");

  function counts() {
    const found = new Map();
    for (const key of Object.keys(localStorage)) {
      const [name, event, round] = key.split(":");
      if (name === "results" && event === told.dataset.event) found.set(round, (found.get(round) ?? 0) + 1);
    }
    return found;
  }

  function link(round, count) {
    const made = document.createElement("a");
    made.href = told.dataset.address.replace("/rounds/0/", `/rounds/${round}/`);
    made.textContent = told.dataset.link.replace("%(round)s", round).replace("%(count)s", count);
    return made;
  }

  function tell() {
    const found = [...counts()].sort(([one], [other]) => one - other);
    const count = found.reduce((total, [, each]) => total + each, 0);
    told.hidden = !count;
    const sentence = count === 1 ? told.dataset.one : told.dataset.several;
    const links = found.flatMap(([round, each]) => [" ", link(round, each)]);
    told.replaceChildren(sentence.replace("%(count)s", count), ...links);
  }

  try {
    tell();
    addEventListener("storage", tell);
    addEventListener("pageshow", tell);
  } catch {
    // a browser that keeps nothing between pages
  }
})();
