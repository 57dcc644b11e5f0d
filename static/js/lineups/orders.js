// Orders of boards as they are typed, and the keys that stand for one that is known.

const SOURCES = {r: "roster", l: "last", s: "sent"};

/** Return the text that a key puts into a field, null where it is no such key or has nothing to put. */
export function orderOf(key, {roster, last, sent}) {
  return {roster, last, sent}[SOURCES[key]] || null;
}

/**
 * Return the numbers of an order, board by board; an empty string where nobody sits.
 * @param {string} text - as it is typed: "1245", "1 2 4 12", "-"
 * @param {boolean} isShort - every number of the team is a single digit
 */
export function numbersOf(text, isShort) {
  const tokens = isShort && /^[\dx–-]+$/.test(text) ? [...text] : text.split(/[\s,;/]+/).filter(Boolean);
  return tokens.map(token => /^[x–-]$/.test(token) ? "" : token);
}

/** Return what is wrong with the numbers of an order: "twice", "order" where that is fixed, or an empty string. */
export function faultOf(numbers, isFixed) {
  const seated = numbers.filter(Boolean).map(Number);
  if (new Set(seated).size < seated.length) return "twice";
  return isFixed && seated.some((number, at) => number < seated[at - 1]) ? "order" : "";
}

/**
 * Return a line-up in which the next players of the roster replace absent players, as it is typed. An empty
 * line-up gets the first present players.
 * @param {string[]} numbers - of the line-up, board by board; an empty string is a board without a player
 * @param {string[]} present - numbers of the present players, in the order of the roster
 */
export function orderWithout(numbers, present, boards, isShort) {
  const size = numbers.findLastIndex(Boolean) + 1;
  const kept = numbers.slice(0, size).filter(number => !number || present.includes(number));
  const start = Math.max(0, ...kept.map(number => present.indexOf(number) + 1));
  const reserves = [...present.slice(start), ...present.slice(0, start)].filter(number => !kept.includes(number));
  const seated = [...kept, ...reserves.slice(0, (size || boards) - kept.length)];
  return Array.from({length: boards}, (_board, at) => seated[at] || "-").join(isShort ? "" : " ");
}
