// Questions of the results screen to the server.

const TIMEOUT = 20_000; // milliseconds

/** Ask the server, with a body by POST; rejected where there is no connection or no answer in time. */
export async function request(address, body) {
  const csrf = document.cookie.match(/(?:^|; )(?:__Host-)?csrftoken=([^;]*)/)?.[1] ?? "";
  return fetch(address, {
    method: body ? "POST" : "GET",
    headers: body ? {"Content-Type": "application/json", "X-CSRFToken": csrf} : {},
    body: body && JSON.stringify(body),
    redirect: "manual", // to the login form
    cache: "no-store",
    signal: AbortSignal.timeout(TIMEOUT),
  });
}

/** Return the name of what an answer says to be wrong, or an empty string. */
export function problemOf(answer) {
  if (answer.ok) return "";
  if (answer.type === "opaqueredirect" || answer.status === 403) return "login";
  return {400: "broken", 404: "gone", 409: "other_account", 500: "fault", 503: "busy"}[answer.status] ?? "lost";
}

/** Return the id under which the server has logged the request of an answer. */
export function requestIdOf(answer) {
  return answer.headers.get("X-Request-ID") ?? "";
}

/** Return a random UUID. */
export function newId() {
  // crypto.randomUUID is there on secure pages only, and a hall's own network may be none.
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = bytes[6] & 0x0f | 0x40;
  bytes[8] = bytes[8] & 0x3f | 0x80;
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}
