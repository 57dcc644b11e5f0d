/** Return a sentence with its named places filled: "%(count)s" and "{count}" become `values.count`, or nothing. */
export function fill(sentence, values = {}) {
  return sentence.replace(/%\((\w+)\)s|\{(\w+)\}/g, (_, name, other) => values[name ?? other] ?? "");
}
