// The rows of a tree of names, made for what is seen only: https://www.w3.org/WAI/ARIA/apg/patterns/treegrid/

import { count, h, put, setText, shown } from "./dom.js";

/** Milliseconds between two drawings of new values: more often, nobody could read them. */
const REDRAW = 100;

/** A row that is reused for one name after another. */
function makeRow(id) {
  const [twisty, segment, counted] = [h("span.twisty", { "aria-hidden": "true" }), h("span"), h("span.count")];
  const [value, age] = [h("span.value", { role: "gridcell" }), h("span.age", { role: "gridcell" })];
  const element = h("div.row", { role: "row", id }, h("span.name", { role: "gridcell" }, twisty, segment, counted), value, age);
  element.addEventListener("animationend", () => element.classList.remove("flash"));
  const drawn = {};
  let node;

  /** Does a write to the document only for another value than the one of before. */
  const set = (key, to, write) => {
    if (drawn[key] === to && key in drawn) return;
    drawn[key] = to;
    write(to);
  };

  return {
    element,
    show(shownNode, { index, top, number, isOpen, isActive, isSelected, cells }) {
      const isFresh = node !== shownNode;
      node = shownNode;
      if (isFresh) {
        element.dataset.name = node.name;
        element.classList.remove("flash");
        put(segment, shown(node.segment));
        element.style.setProperty("--depth", node.depth);
        element.setAttribute("aria-level", node.depth + 1);
      }
      set("top", top, () => (element.style.transform = `translateY(${top}px)`));
      set("index", index, () => element.setAttribute("aria-rowindex", index + 2));
      set("open", isOpen, () => (isOpen === undefined ? element.removeAttribute("aria-expanded") : element.setAttribute("aria-expanded", isOpen)));
      set("active", isActive, () => element.classList.toggle("active", isActive));
      set("selected", isSelected, () => element.setAttribute("aria-selected", isSelected));
      set("state", cells.state ?? "", (state) => (element.dataset.state = state));
      set("value", cells.value ?? "", (text) => put(value, shown(text)));
      setText(counted, number === undefined ? "" : count(number));
      setText(age, cells.age ?? "");
      if (!isFresh && drawn.mark !== cells.mark) element.classList.add("flash");
      drawn.mark = cells.mark;
    },
  };
}

/**
 * A tree of names with its keyboard.
 *
 * @param {HTMLElement} element A scrolling `treegrid` that can have the focus.
 * @param {object} parts `cells` returns the contents of a node's row, `opened` hears when a person opens a node, `drawn` each drawing.
 */
export function makeTree(element, { names, cells, opened, drawn }) {
  const canvas = element.querySelector(".rows");
  const used = new Map();
  const free = [];
  let rows = [];
  let version = -1;
  let height;
  let active;
  let selected;
  let isAsked = false;
  /** Whether the row of the selected name has to come into view. */
  let isSought = false;
  let flattenedAt = 0;
  let flattenTime = 0;

  const placeOf = (node) => (node !== undefined && rows[node.place] === node ? node.place : undefined);

  // MARK: Drawing

  function ask() {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      draw();
    });
  }

  function flatten() {
    if (version === names.version) return;
    const now = performance.now();
    version = names.version;
    rows = names.rows();
    rows.forEach((node, place) => (node.place = place));
    flattenedAt = performance.now();
    flattenTime = flattenedAt - now;
  }

  function draw() {
    // A large tree finds its rows less often, so that they take a tenth of the time at most.
    if (performance.now() - flattenedAt > flattenTime * 10) flatten();
    canvas.style.height = `${rows.length * height}px`;
    // A hidden tree has no place to scroll to.
    if (isSought && version === names.version && element.clientHeight > 0 && placeOf(active) !== undefined) {
      isSought = false;
      scrollTo(active.place);
    }
    const { scrollTop, clientHeight } = element;
    const first = Math.max(0, Math.floor(scrollTop / height) - 4);
    const last = Math.min(rows.length, Math.ceil((scrollTop + clientHeight) / height) + 4);
    element.setAttribute("aria-rowcount", rows.length + 1);
    const wanted = new Set(rows.slice(first, last));
    // The active row stays, because the focus names it.
    if (placeOf(active) !== undefined) wanted.add(active);
    for (const [node, row] of used) {
      if (wanted.has(node)) continue;
      used.delete(node);
      free.push(row);
      row.element.hidden = true;
    }
    // Each row stands before the next one in the document, too, for screen readers.
    for (const node of [...wanted].reverse()) drawRow(node);
    const row = used.get(active);
    if (row === undefined) element.removeAttribute("aria-activedescendant");
    else element.setAttribute("aria-activedescendant", row.element.id);
    drawn();
  }

  function drawRow(node) {
    const { entry, isBranch, place } = node;
    const row = used.get(node) ?? free.pop() ?? makeRow(`${element.id}-${canvas.childElementCount}`);
    if (!used.has(node)) canvas.insertBefore(row.element, used.get(rows[place + 1])?.element ?? null);
    row.element.hidden = false;
    used.set(node, row);
    row.show(node, {
      index: place,
      top: place * height,
      number: isBranch ? names.shownIn(node) : undefined,
      isOpen: isBranch ? names.isOpen(node) : undefined,
      isActive: node === active,
      isSelected: entry !== undefined && node.name === selected,
      cells: entry === undefined ? {} : cells(entry, node.name),
    });
  }

  // MARK: Keys and clicks

  function activate(place) {
    if (rows.length === 0) return;
    const index = Math.max(0, Math.min(rows.length - 1, place));
    active = rows[index];
    scrollTo(index);
    ask();
  }

  function scrollTo(index) {
    const [top, head] = [index * height, canvas.offsetTop];
    const { scrollTop, clientHeight } = element;
    if (top < scrollTop) element.scrollTop = top;
    else if (top + height + head > scrollTop + clientHeight) element.scrollTop = top + height + head - clientHeight;
  }

  function toggle(node) {
    names.toggle(node);
    flatten();
    ask();
  }

  function open(node) {
    if (node?.entry !== undefined) opened(node.name);
    else if (node !== undefined) toggle(node);
  }

  function goIn(place) {
    if (!active?.isBranch) return;
    if (names.isOpen(active)) activate(place + 1);
    else toggle(active);
  }

  function goOut() {
    if (active?.isBranch && names.isOpen(active)) toggle(active);
    else if (active?.depth > 0) activate(placeOf(active.parent));
  }

  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeOf(active) ?? -1;
    const page = Math.max(1, Math.floor(element.clientHeight / height) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const acts = { ArrowRight: () => goIn(place), ArrowLeft: goOut, Enter: () => open(active), " ": () => open(active) };
    const act = event.key in steps ? () => activate(place + steps[event.key]) : acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  element.addEventListener("click", ({ target }) => {
    const node = [...used].find(([, row]) => row.element === target.closest(".row"))?.[0];
    if (node === undefined) return;
    active = node;
    if (target.closest(".twisty") !== null && node.isBranch) toggle(node);
    else open(node);
    ask();
  });
  element.addEventListener("scroll", ask);
  // Nothing scrolls: a click that brings the focus is meant for the row under it.
  element.addEventListener("focus", () => { active ??= rows[0]; ask(); });

  const tree = {
    isPaused: false,
    get active() {
      return active;
    },
    /** The nodes whose rows are seen. */
    get seen() {
      return [...used.keys()];
    },
    /** Draws soon, whether or not something is known to have changed. */
    refresh() {
      height = parseFloat(getComputedStyle(element).getPropertyValue("--row"));
      ask();
    },
    /** Marks the name that the page shows, and brings its row into view. */
    select(name) {
      selected = name;
      const node = name === undefined ? undefined : names.get(name);
      if (node !== undefined) {
        if (!names.isFiltered) names.reveal(node);
        active = node;
        isSought = true;
      }
      ask();
    },
  };
  tree.refresh();
  new ResizeObserver(tree.refresh).observe(element);
  // New values and ages are drawn at a steady pace, scrolling and keys at once.
  setInterval(() => !tree.isPaused && !document.hidden && element.offsetParent !== null && ask(), REDRAW);
  return tree;
}
