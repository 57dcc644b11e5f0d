// Counts down in words until a login is looked at again; without this script the sentence says how long it was.

for (const wait of document.querySelectorAll("[data-wait]")) countDown(wait);

function countDown(wait) {
  const {one, more, now} = wait.dataset;
  const end = Date.now() + 1000 * Number(wait.dataset.wait);
  const timer = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (left > 0) {
      wait.textContent = left === 1 ? one : more.replace("2", left);
      return;
    }
    clearInterval(timer);
    // Only the end is read out: a voice that counts every second is one that nobody can listen to.
    wait.setAttribute("aria-live", "polite");
    setTimeout(() => { wait.textContent = now; }, 100);
  }, 1000);
}
