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
  // Each open page offers itself as the host of its command, and racd takes one.
  rac.problems.subscribe((error) => error.code === "already-hosted" || console.error(error));
}

// The source of the page: a `pre` names its file. Of the page itself it shows what stands between two marks.
for (const place of document.querySelectorAll("pre[data-source]")) {
  fetch(place.dataset.source)
    .then((response) => response.text())
    .then((text) => (place.textContent = text.match(/<!-- example -->\n([^]*?)\s*<!-- end -->/)?.[1] ?? text));
}
