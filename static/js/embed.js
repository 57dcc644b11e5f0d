// Keeps a page in the frame of another site up to date while it can be seen; what it shows leads to the site itself.

const INTERVAL = 15_000;

/** Return whether a page that was asked for again shows something newer than the one that is open. */
export function isNewer(open, fresh) {
  return Boolean(fresh) && fresh.dataset.revision !== open.dataset.revision;
}

async function update() {
  const open = document.querySelector("#embedded");
  if (document.visibilityState !== "visible") return;
  const answer = await fetch(location.href, {cache: "no-cache", signal: AbortSignal.timeout(10_000)});
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("#embedded");
  if (isNewer(open, fresh)) open.replaceWith(document.adoptNode(fresh));
}

function start() {
  const isLive = () => "live" in document.querySelector("#embedded").dataset;
  // What fails is asked again: the page stays as it was.
  const ask = () => update().catch(() => {}).finally(() => isLive() && setTimeout(ask, INTERVAL));
  if (isLive()) setTimeout(ask, INTERVAL);
}

if (globalThis.document) start();
