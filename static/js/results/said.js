// What the results screen says, in the sentences that the page brings along: what is told once is heard by those
// who do not see it, what has to be known stays on the page.
class Said {
  constructor(form) {
    this.words = JSON.parse(form.dataset.words);
    this.account = form.dataset.name;
    this.heard = ""; // what was last told of the connection
  }

  say(name, facts = {}) {
    return this.words[name].replace(/%\((\w+)\)s/g, (_, key) => facts[key] ?? "");
  }

  announce(text) {
    const region = document.querySelector("#said");
    region.textContent = "";
    setTimeout(() => { region.textContent = text; }, 50); // so that the same words are heard twice
  }

  tell(text) {
    const others = document.querySelector("#others");
    others.textContent = `${others.textContent} ${text}`.trim();
    others.hidden = false;
    this.announce(text);
  }

  // `open` is how many lines of this page somebody has to look at.
  tellConnection(entries, open) {
    const count = entries.waiting.length;
    const name = entries.connection || (count ? "sending" : open ? "undecided" : "all_saved");
    const texts = [this.say(name, {count: count || open, name: this.account})];
    if (open && name !== "undecided") texts.push(this.say("undecided", {count: open}));
    if (!entries.isKept) texts.push(this.say("not_kept"));
    const told = document.querySelector("#connection");
    told.textContent = texts.join(" ");
    told.dataset.state = entries.connection || open ? "lost" : name;
    document.querySelector("#login").hidden = entries.connection !== "login";
    if (name === this.heard || name === "sending" || name === "undecided") return;
    if (this.heard) this.announce(told.textContent);
    this.heard = name;
  }
}

function node(name, text) {
  return Object.assign(document.createElement(name), {textContent: text});
}
