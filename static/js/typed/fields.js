// The stored fields of a form (`fields` of a record, see storage.js), compared with the controls of the page.

import {labelOf, renderedValueOf, valueOf, versionOf} from "./controls.js";

/** Store the changed fields, and remove those that were changed back. */
export function updateFields(fields, controls, {own, offered, rejected, sent}) {
  for (const [name, control] of controls) {
    if (control[0].disabled) continue;
    const [value, rendered, stored] = [valueOf(control), renderedValueOf(control), fields[name]];
    if (value !== rendered || rejected.has(name)) {
      own.add(name);
      fields[name] = {
        value,
        base: rejected.has(name) ? stored?.base ?? rendered : rendered,
        version: versionOf(control),
        label: labelOf(control),
        sent: sent || (stored?.value === value ? stored.sent : ""),
      };
    } else removeOwn(fields, name, {own, offered});
  }
}

/** Remove a field if this page has stored it (`own`), and not another tab. That of an earlier visit (`offered`) returns. */
export function removeOwn(fields, name, {own, offered}) {
  if (!own.delete(name)) return;
  if (offered.has(name)) fields[name] = offered.get(name);
  else delete fields[name];
}

/** Return the names of the fields that were sent under these ids, if the page shows the form again. Fields that it no
 * longer has were saved, for example a new row, and are removed. */
export function takeRejected(fields, controls, ids) {
  const names = Object.keys(fields).filter(name => ids.includes(fields[name].sent));
  const shown = names.filter(name => controls.has(name));
  if (shown.length) names.filter(name => !controls.has(name)).forEach(name => { delete fields[name]; });
  return shown;
}
