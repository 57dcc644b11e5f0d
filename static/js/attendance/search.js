// Finding somebody at the door by what was typed so far; tournaments.admin.competitors.attendance finds alike.

/** Return small letters without marks, with single blanks. */
export function folded(text) {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").trim().replace(/\s+/g, " ");
}

/**
 * Return the line that a text means alone, or undefined: whoever has that number, or the only one found.
 * @param {string} query - as `folded` returns it
 * @param {{dataset: {words: string}}[]} found - the lines that the text finds
 */
export function onlyMatch(query, found) {
  const numbered = found.find(line => line.dataset.words.split(" ")[0] === query);
  return numbered ?? (query && found.length === 1 ? found[0] : undefined);
}

/**
 * Say whether each word that was typed begins one of those; a single figure means that number alone.
 * @param {string} query - as `folded` returns it
 * @param {string} words - the number first
 */
export function matchesQuery(query, words) {
  const known = words.split(" ");
  if (/^\d+$/.test(query)) return known[0] === query || (query.length > 1 && known[0].startsWith(query));
  return query.split(" ").every(each => known.some(word => word.startsWith(each)));
}
