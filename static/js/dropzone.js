// A file that is dropped on a form is chosen in it and sent. Without this script it is chosen by its button.

const form = globalThis.document?.querySelector("form[data-drop]");
if (form) start(form);

/** Let a form take the files that are dropped on it; the first one counts. */
export function start(form) {
  const input = form.querySelector("input[type=file]");
  const mark = is => form.classList.toggle("dropping", is);

  form.addEventListener("dragover", event => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  form.addEventListener("dragleave", () => mark(false));
  form.addEventListener("drop", event => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    mark(false);
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

/** Say whether a file is dragged, and not a text, which goes into the field. */
export function holdsFile(event) {
  return [...event.dataTransfer.types].includes("Files");
}
