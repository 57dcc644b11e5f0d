/** Return a sentence with its named places filled: "%(count)s" becomes `values.count`, or nothing. */
export function fill(sentence, values = {}) {
  return sentence.replace(/%\((\w+)\)s/g, (_, name) => values[name] ?? "");
}
