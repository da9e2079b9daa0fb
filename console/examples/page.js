// The parts that the examples share, and that no example is about.

/** Tells in an element how the connection is. Problems that nothing else takes are told at the console. */
export function showConnection(element, rac) {
  rac.connection.subscribe(({ state, error }) => {
    element.dataset.state = state;
    element.textContent = {
      connecting: "Connecting…",
      connected: "Connected",
      lost: "The connection is lost. This page connects again by itself.",
      closed: `Not connected: ${error?.message}`,
    }[state];
  });
  rac.problems.subscribe((error) => error.code === "already-hosted" || console.error(error));
}

/** Hosts a command in turn: each open page offers itself, racd takes one, and when that one is closed, another one follows. */
export class HostInTurn {
  #hosting;
  #isEnabled;

  constructor(rac, name, work, { enabled = true } = {}) {
    this.#isEnabled = enabled;
    this.#offer(() => rac.host(name, work, { enabled: this.#isEnabled }));
  }

  /** Whether the command may be executed now. */
  set enabled(isEnabled) {
    this.#isEnabled = isEnabled;
    this.#hosting.enabled = isEnabled;
  }

  async #offer(host) {
    this.#hosting = host();
    const error = await this.#hosting.ended;
    if (error?.code === "already-hosted") setTimeout(() => this.#offer(host), 1000);
  }
}

// The source of the page: a `pre` names its file. Of the page itself it shows what stands between two marks.
for (const place of document.querySelectorAll("pre[data-source]")) {
  fetch(place.dataset.source)
    .then((response) => response.text())
    .then((text) => (place.textContent = text.match(/<!-- example -->\n([^]*?)\s*<!-- end -->/)?.[1] ?? text));
}
