// Typed input that the server has not saved, in the browser's storage: a record for each account, address and form.
// A record has `at`, the time of the last typing, and `fields`, by name, each with the typed `value`, the `base` that it
// replaces, the `version` of the row, the `label`, and `sent`, the id under which the form was sent last.

const PREFIX = "typed:";
const LOGOUT = "typed-logout"; // the time of the last logout
const OTHER_PARAMETERS = ["back", "sort", "_changelist_filters"]; // they do not choose the content of a form
const LIFETIME = 24 * 60 * 60 * 1000; // milliseconds

export function keyOf({account, url, form}) {
  const parameters = new URLSearchParams(url.search);
  OTHER_PARAMETERS.forEach(name => parameters.delete(name));
  return `${PREFIX}${account}:${url.pathname}?${parameters} ${form}`;
}

/** Return the record of a key. It has no fields if nothing is stored, or if the browser stores nothing. */
export function recordOf(key) {
  try {
    return parse(localStorage[key]);
  } catch {
    return parse();
  }
}

/** Store a record, or remove it if it has no fields. Without storage, or if it is full, nothing happens. */
export function store(key, record) {
  try {
    if (Object.keys(record.fields).length) localStorage.setItem(key, JSON.stringify(record));
    else localStorage.removeItem(key);
  } catch {
    // The warning before the page is left still works.
  }
}

/** Remove records that are too old, and those of other accounts if the account is known. */
export function removeOld({account, now}) {
  for (const key of keys()) {
    const isForeign = account && !key.startsWith(`${PREFIX}${account}:`);
    if (isForeign || now - recordOf(key).at > LIFETIME) store(key, parse());
  }
}

/** Remove the fields that were sent under these ids. */
export function removeSent(ids) {
  for (const key of keys()) {
    const record = recordOf(key);
    const kept = Object.entries(record.fields).filter(([, field]) => !ids.includes(field.sent));
    store(key, {...record, fields: Object.fromEntries(kept)});
  }
}

/** Remove the records of all accounts, at a logout. Pages in other tabs see it by `lastLogout`. */
export function removeAll() {
  for (const key of keys()) store(key, parse());
  try {
    localStorage.setItem(LOGOUT, Date.now());
  } catch {
    // Other tabs store nothing either.
  }
}

/** Return the time of the last logout in this browser, as text. */
export function lastLogout() {
  try {
    return localStorage[LOGOUT] ?? "";
  } catch {
    return "";
  }
}

function keys() {
  try {
    return Object.keys(localStorage).filter(key => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function parse(text = "{}") {
  try {
    return {at: 0, fields: {}, ...JSON.parse(text)};
  } catch {
    return {at: 0, fields: {}};
  }
}
