// The parts that all examples share.

/** Shows the state of the connection in an element, and logs problems without another handler to the console. */
export function showConnection(element, rac) {
  rac.connection.subscribe(({ state, error }) => {
    element.dataset.state = state;
    element.textContent = {
      connecting: "Connecting…",
      connected: "Connected",
      lost: "The connection is lost. This page reconnects automatically.",
      closed: `Not connected: ${error?.message}`,
    }[state];
  });
  // Each open page offers itself as the host of its command, and racd takes one.
  rac.problems.subscribe((error) => error.code === "already-hosted" || console.error(error));
}

// The source of the page: each `pre` names its file. Of an HTML file it shows only the part between two marks.
for (const place of document.querySelectorAll("pre[data-source]")) {
  fetch(place.dataset.source)
    .then((response) => response.text())
    .then((text) => (place.textContent = text.match(/<!-- example -->\n([^]*?)\s*<!-- end -->/)?.[1] ?? text));
}
