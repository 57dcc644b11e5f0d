// What others type comes in every five seconds while the page is visible, and never over what is being typed.
class News {
  static EVERY = 5000;

  // `turned` is called after every asking.
  constructor({form, entries, lines, turned}) {
    Object.assign(this, {form, entries, lines, turned});
    document.addEventListener("visibilitychange", () => this.poll());
    setInterval(() => this.poll(), News.EVERY);
  }

  async poll() {
    if (document.visibilityState !== "visible" || this.entries.isSending) return;
    this.entries.adopt();
    if (this.entries.waiting.length) return;
    const address = new URL(this.form.dataset.news, location.href);
    address.searchParams.set("revision", this.form.dataset.revision);
    try {
      const answer = await ask(address);
      this.entries.connection = connectionOf(answer);
      if (answer.status === 200 && !this.entries.waiting.length) this.take(await answer.json());
    } catch {
      this.entries.connection = "lost";
    }
    this.turned();
  }

  take({revision, lines, shape, needs}) {
    document.querySelector("#changed").hidden = shape === this.form.dataset.shape;
    const news = Object.entries(lines)
      .map(([line, [text, version]]) => ({row: this.lines.byLine.get(line), text, version}))
      .filter(({row, version}) => row && Number(row.dataset.version) !== version && !this.entries.last(row.dataset.line));
    const free = news.filter(({row}) => !row.dataset.typing);
    free.forEach(({row, text, version}) => this.lines.bring(row, text, version));
    this.form.dataset.needs = needs;
    if (free.length === news.length) this.form.dataset.revision = revision; // else it is asked again
  }
}
