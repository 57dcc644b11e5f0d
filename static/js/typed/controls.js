// The fields of a form whose typed input is stored. A control is a list of elements: one, or the radio buttons of a name.

const LEFT_OUT = [
  ...["button", "file", "hidden", "image", "password", "reset", "search", "submit"].map(type => `[type=${type}]`),
  "button", "fieldset", "output", "object", "[readonly]", "[autocomplete=one-time-code]",
  "[name=seat]", // the selected players of the pairing screen
].join();

/** Return the controls of a form by name; checkboxes have their value in the name, repeated names a number. */
export function controlsOf(form) {
  const controls = new Map();
  for (const element of form.elements) {
    if (!element.name || element.name.includes("__prefix__") || element.matches(LEFT_OUT)) continue;
    const name = element.type === "checkbox" ? `${element.name}=${element.value}` : element.name;
    if (element.type === "radio" && controls.has(name)) controls.get(name).push(element);
    else controls.set(unusedName(controls, name), [element]);
  }
  return controls;
}

function unusedName(controls, name) {
  let unused = name;
  for (let count = 2; controls.has(unused); count += 1) unused = `${name} ${count}`;
  return unused;
}

/** Return the id of a form or of its first control, which is the only one of the page, or else the control's name. */
export function nameOf(form) {
  const [[first] = []] = controlsOf(form).values();
  return form.id || first?.id || first?.name || "";
}

/** Return the value that the user sees, as text. */
export function valueOf(elements) {
  return read(elements, {checked: "checked", selected: "selected", value: "value"});
}

/** Return the value with which the server rendered the page. */
export function renderedValueOf(elements) {
  return read(elements, {checked: "defaultChecked", selected: "defaultSelected", value: "defaultValue"});
}

function read(elements, {checked, selected, value}) {
  const [first] = elements;
  if (first.type === "radio") return elements.find(each => each[checked])?.value ?? "";
  if (first.type === "checkbox") return first[checked] ? "on" : "";
  if (!first.options) return first[value];
  const chosen = [...first.options].filter(each => each[selected]).map(each => each.value);
  if (first.multiple) return chosen.join("\n");
  return chosen[0] ?? first.options[0]?.value ?? ""; // browsers select the first option if none is selected
}

/** Put a value into a control. Return whether it has the value now: an option may be missing, a field disabled. */
export function setValue(elements, value) {
  const [first] = elements;
  if (elements.every(each => each.disabled)) return false;
  if (first.type === "radio") elements.forEach(each => { each.checked = each.value === value; });
  else if (first.type === "checkbox") first.checked = value === "on";
  else if (first.multiple && first.options) {
    const chosen = value.split("\n");
    for (const option of first.options) option.selected = chosen.includes(option.value);
  } else first.value = value;
  return valueOf(elements) === value;
}

/** Return a value as the user knows it: the text of an option, a radio button or a checkbox. */
export function textOf(elements, value, {yes, no, empty}) {
  const [first] = elements;
  if (first.type === "checkbox") return value ? yes : no;
  const chosen = value.split("\n");
  const options = first.type === "radio" ? elements : [...(first.options ?? [])];
  const texts = options.filter(each => chosen.includes(each.value)).map(each => each.text ?? each.labels?.[0]?.textContent);
  return (texts.join(", ") || value).trim() || empty;
}

/** Return the label of a control, after that of its row or group. */
export function labelOf([first]) {
  const group = first.closest("fieldset, .row[aria-label], section");
  const parts = [
    group?.getAttribute("aria-label") ?? group?.querySelector("legend, h2")?.textContent,
    first.type === "radio" ? "" : first.getAttribute("aria-label") ?? first.labels?.[0]?.textContent,
  ];
  const texts = parts.map(each => (each ?? "").replace(/\s+/g, " ").trim().replace(/:$/, "")).filter(Boolean);
  return texts.join(", ") || first.name;
}

/** Return the version of the row that a control belongs to: the nearest hidden field of a version, if there is one, and
 * the epoch, since versions and primary keys start again after a restore. */
export function versionOf([first]) {
  const epoch = first.form.querySelector("input[name=epoch]")?.value ?? "";
  for (let box = first.parentElement; box; box = box.parentElement) {
    const field = box.querySelector("input[type=hidden][name*=seen]");
    if (field || box === first.form) return `${epoch} ${field?.value ?? ""}`;
  }
  return epoch;
}
