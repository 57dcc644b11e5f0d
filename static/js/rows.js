// Adds blank rows to a list. Without this script, each save of the form adds them.

for (const list of document.querySelectorAll(".rows")) {
  const count = list.querySelector("[name$=TOTAL_FORMS]");
  const button = list.querySelector("button");
  button.hidden = false;
  button.addEventListener("click", () => {
    const row = document.createElement("template");
    row.innerHTML = list.querySelector("template").innerHTML.replaceAll("__prefix__", count.value);
    const added = row.content.firstElementChild;
    count.value = Number(count.value) + 1;
    added.setAttribute("aria-label", `${list.getAttribute("aria-label")} ${count.value}`);
    button.before(added);
    added.querySelector("input, select").focus();
  });
}
