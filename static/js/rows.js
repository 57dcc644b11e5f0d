// Adds blank rows to a list. Without this script, each save of the form adds them.

const MOST_ROWS = 1000; // as in tournaments/admin/rows.py

for (const list of document.querySelectorAll(".rows")) {
  const count = list.querySelector("[name$=TOTAL_FORMS]");
  const prefix = count.name.replace("TOTAL_FORMS", "");
  const button = list.querySelector("button");
  button.hidden = false;
  const add = () => {
    const row = document.createElement("template");
    row.innerHTML = list.querySelector("template").innerHTML.replaceAll("__prefix__", count.value);
    const added = row.content.firstElementChild;
    count.value = Number(count.value) + 1;
    added.setAttribute("aria-label", `${list.getAttribute("aria-label")} ${count.value}`);
    button.before(added);
    added.querySelector("input, select").focus();
  };
  button.addEventListener("click", add);
  // For typed input that is put back (typed/screen.js).
  list.closest("form").addEventListener("rowneeded", ({detail: name}) => {
    const [, number] = name.startsWith(prefix) ? name.slice(prefix.length).match(/^(\d+)-/) ?? [] : [];
    while (Number(count.value) <= number && Number(count.value) < MOST_ROWS) add();
  });
}
