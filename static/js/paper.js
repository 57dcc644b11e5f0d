// The button that prints; without this script Ctrl+P does.

const button = document.querySelector("#print");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
