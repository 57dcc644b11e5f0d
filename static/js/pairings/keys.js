// Keys of the form that pairs. A key is named as in the events of the keyboard: a sign, or "Enter".

/**
 * Return the field that Enter leads to, or null where it saves: in an empty field and in the last one.
 * @param {string[]} values - what stands in the fields; where nothing stands in any, Enter stays where it is
 * @param {number} at - the field with the focus
 */
export function fieldAfter(values, at) {
  const isLast = at === values.length - 1;
  if (values[at].trim() && !isLast) return at + 1;
  return values.every(value => !value.trim()) ? at : null;
}

/** Return the values and the focus after keys were typed; Enter goes on from a field with something in it. */
export function typed(keys, values, at) {
  const after = {values: [...values], at};
  for (const key of keys) {
    if (key !== "Enter") after.values[after.at] += key;
    else if (after.values[after.at].trim() && after.at + 1 < values.length) after.at += 1;
  }
  return after;
}

/** Return whether a key writes a sign or is Enter. */
export function isTyping(event) {
  return (event.key.length === 1 || event.key === "Enter") && !isShortcut(event);
}

/** Return whether a key belongs to a shortcut of the browser. */
export function isShortcut({ctrlKey, altKey, metaKey}) {
  return ctrlKey || altKey || metaKey;
}
