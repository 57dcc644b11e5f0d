// Carries what the page asks to the browser's authenticator, and its answer into the form beside it.

for (const form of document.querySelectorAll("form[data-passkey]")) offer(form);

function offer(form) {
  const button = form.querySelector("[data-ask]");
  const told = form.querySelector("[role=status]");
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
    told.textContent = form.dataset.unable;
    return;
  }
  button.hidden = false;
  told.textContent = "";

  form.addEventListener("submit", async event => {
    event.preventDefault();
    told.textContent = form.dataset.asking;
    try {
      const credential = await ask(form.dataset.passkey, JSON.parse(form.dataset.options));
      form.elements.credential.value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch (error) {
      // Given up by the user, timed out, or made on this device before: all are told as such by their name.
      told.textContent = error.name === "InvalidStateError" ? form.dataset.known : form.dataset.failed;
    }
  });
}

function ask(what, options) {
  if (what === "create") {
    return navigator.credentials.create({publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options)});
  }
  return navigator.credentials.get({publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options)});
}
