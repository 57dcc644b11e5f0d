// Gives “Mine” its height while the page is still parsed, so that the page below does not move when the lines arrive.
// A classic script, because modules run after the first paint. `mine.js` stores the height at the last visit.
{
  const section = document.querySelector("#mine");
  const list = section.querySelector("ul");
  try {
    const followed = JSON.parse(localStorage["crosstable.followed"] ?? "{}");
    const slug = /\/events\/([^/]+)\//.exec(location.pathname)?.[1];
    const expected = slug ? followed[slug] ?? [] : Object.values(followed).flat();
    const height = Object.keys(followed).length && sessionStorage[`crosstable.mine:${location.pathname}`];
    section.hidden = !expected.length && !height && !section.dataset.none;
    if (height) section.style.minHeight = height;
    else for (const each of expected) list.append(Object.assign(document.createElement("li"), {className: "expected", textContent: each.name}));
  } catch {
    // Without storage or with invalid data, the section appears later.
  }
}
