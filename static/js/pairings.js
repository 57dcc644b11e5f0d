// Pairing from a number pad: Enter goes on to the next field, and saves from an empty one or the last.
// A competitor who is not paired yet takes y, =, 0 or - while one of his buttons has the focus.
// A form goes out once, however often Enter is pressed; what is typed while it is on its way is kept for the
// page that comes back, and typed there.

const form = document.getElementById("pair");
const KEPT = `pairings:${location.pathname}`;
let isSent = false;

function sides() {
  return [...form.querySelectorAll('input[name="first"], input[name="second"]')];
}

function isEmpty() {
  return sides().every((field) => !field.value.trim());
}

function focus(field) {
  field.focus();
  field.select();
}

function goOn(event) {
  const fields = sides();
  const at = fields.indexOf(event.target);
  if (event.key !== "Enter" || event.isComposing || at < 0) return;
  const goesOut = !event.target.value.trim() || at === fields.length - 1;
  if (goesOut && !isEmpty()) return;
  event.preventDefault();
  if (!goesOut) focus(fields[at + 1]);
}

function takeKey(event) {
  const line = event.target.closest(".unpaired li");
  if (!line || event.ctrlKey || event.altKey || event.metaKey) return;
  const button = [...line.querySelectorAll("button")].find((each) => each.dataset.key === event.key);
  if (!button) return;
  event.preventDefault();
  button.click();
}

function sendOnce(event) {
  if (isSent) event.preventDefault();
  isSent = true;
}

function keep(event) {
  if (!isSent || event.ctrlKey || event.altKey || event.metaKey || (event.key.length > 1 && event.key !== "Enter")) return;
  event.preventDefault();
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...kept(), event.key]));
  } catch {
    // a browser that keeps nothing
  }
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

// Where the saved lines left nobody to pair, or a line is wrong, nothing is typed.
function typeKept(isWrong) {
  const keys = kept();
  sessionStorage.removeItem(KEPT);
  if (!form || isWrong) return;
  for (const key of keys) {
    const fields = sides();
    const at = fields.indexOf(document.activeElement);
    if (at < 0) return;
    if (key !== "Enter") fields[at].value += key;
    else if (fields[at].value.trim() && at + 1 < fields.length) fields[at + 1].focus();
  }
}

const wrong = form?.querySelector('[aria-invalid="true"]');
if (form) {
  form.addEventListener("keydown", goOn);
  form.addEventListener("keydown", takeKey);
  form.addEventListener("submit", sendOnce);
  addEventListener("keydown", keep, true);
  addEventListener("pageshow", () => { isSent = false; });
  (wrong ?? sides().find((field) => !field.value))?.focus({ preventScroll: !wrong });
}
try {
  typeKept(Boolean(wrong));
} catch {
  // a browser that keeps nothing
}
