// Players of a rating list as proposals beside a name: what is shown of one, and which fields one fills.

export const LEAST_SIGNS = 3;

const FIELDS = ["name", "title", "rating", "code", "sex", "born", "fide_id", "fmjd_id"];

/** Return what stands before "name" in the name of a field, "" for "name" itself; null where it is no field of a name. */
export function prefixOf(field) {
  const found = /^((?:.*-)?)name$/.exec(field ?? "");
  return found ? found[1] : null;
}

/** Return the address that proposes players for a text, or null where it is too short to ask. */
export function addressFor(address, text) {
  const sought = text.trim();
  return sought.length < LEAST_SIGNS ? null : `${address}&q=${encodeURIComponent(sought)}`;
}

/** Return the values of a player by the name of the field that each fills; what the list leaves blank fills nothing. */
export function valuesOf(player, prefix) {
  const known = FIELDS.filter(field => player[field] !== null && player[field] !== undefined && player[field] !== "");
  return new Map(known.map(field => [prefix + field, String(player[field])]));
}

/** Return a player in one line, with the word for one who plays no more. */
export function lineOf(player, inactive) {
  const parts = [player.title, player.name, player.rating, player.code, player.born, player.fide_id ?? player.fmjd_id];
  return parts.filter(each => each !== null && each !== undefined && each !== "").join(" · ")
    + (player.is_inactive ? ` (${inactive})` : "");
}

/** Return the index that a key leads to among so many proposals; -1 is the field itself. */
export function indexAfter(key, at, count) {
  if (key === "ArrowDown") return at + 1 < count ? at + 1 : -1;
  if (key === "ArrowUp") return at === -1 ? count - 1 : at - 1;
  return at;
}
