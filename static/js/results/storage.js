// Entries in the browser's storage, those of the results screen and of others, each under a key of its own so that two tabs never write over each other.

/** Return the key of an entry; numbers are written as they are. */
export function keyOf({screen = "results", event, round, account, id}) {
  return `${screen}:${event}:${round}:${account}:${id}`;
}

/** Return all entries of a screen, each with the parts of its key and its text; none where nothing is kept. */
export function storedEntries(screen = "results") {
  return storedTexts()
    .map(([key, text]) => [key.split(":"), text])
    .filter(([parts]) => parts[0] === screen && parts[4])
    .map(([[, event, round, account, id], text]) => ({event, round, account, id, text}));
}

function storedTexts() {
  try {
    return Object.entries(localStorage);
  } catch {
    return []; // a browser that keeps nothing between pages
  }
}

/** Return how many entries of an event wait in each round, as [round, count] in the order of the rounds. */
export function countByRound(event) {
  const counts = new Map();
  for (const entry of storedEntries().filter(each => each.event === String(event))) {
    counts.set(entry.round, (counts.get(entry.round) ?? 0) + 1);
  }
  return [...counts].sort(([one], [other]) => one - other);
}

/** Return what waits of other rounds of the event and of other accounts, as [round, account], each pair once. */
export function waitingElsewhere({event, round, account}) {
  const pairs = storedEntries()
    .filter(each => each.event === String(event))
    .filter(each => each.round !== String(round) || each.account !== String(account))
    .map(each => [each.round, each.account]);
  return [...new Map(pairs.map(pair => [pair.join(), pair])).values()];
}
