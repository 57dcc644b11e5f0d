// Pairing from a number pad: Enter goes on to the next field, and saves from an empty one or the last.
// A competitor who is not paired yet takes y, =, 0 or - while one of his buttons has the focus.

const form = document.getElementById("pair");

function sides() {
  return [...form.querySelectorAll('input[name="first"], input[name="second"]')];
}

function goOn(event) {
  const fields = sides();
  const at = fields.indexOf(event.target);
  if (event.key !== "Enter" || event.isComposing || at < 0) return;
  if (!event.target.value.trim() || at === fields.length - 1) return;
  event.preventDefault();
  fields[at + 1].focus();
  fields[at + 1].select();
}

function takeKey(event) {
  const line = event.target.closest(".unpaired li");
  if (!line || event.ctrlKey || event.altKey || event.metaKey) return;
  const button = [...line.querySelectorAll("button")].find((each) => each.dataset.key === event.key);
  if (!button) return;
  event.preventDefault();
  button.click();
}

if (form) {
  form.addEventListener("keydown", goOn);
  form.addEventListener("keydown", takeKey);
  const wrong = form.querySelector('[aria-invalid="true"]');
  (wrong ?? sides().find((field) => !field.value))?.focus({ preventScroll: !wrong });
}
