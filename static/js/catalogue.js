// Finds criteria in the catalogue while somebody types; without this script the button asks the server.

const catalogue = document.querySelector("#catalogue");
if (catalogue) start();

function start() {
  const field = catalogue.querySelector("[type=search]");
  const items = [...catalogue.querySelectorAll("li")];
  const texts = items.map(item => `${item.dataset.text} ${item.querySelector(".name").textContent}`.toLowerCase());

  // Modifiers are no words, as at the server: BH-C1 finds BH.
  const wordsOf = text => text.toLowerCase().split(/\s+/).filter(Boolean).map(word => word.split(/(?<=.)[-/:]/)[0]);

  function find() {
    const words = wordsOf(field.value);
    items.forEach((item, at) => { item.hidden = !words.every(word => texts[at].includes(word)); });
    for (const section of catalogue.querySelectorAll("section")) section.hidden = !section.querySelector("li:not([hidden])");
    catalogue.querySelector("[data-none]").hidden = items.some(item => !item.hidden);
  }

  field.addEventListener("input", find);
  field.addEventListener("keydown", event => {
    if (event.key === "Enter") event.preventDefault();
  });
}
