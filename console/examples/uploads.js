// A batch of files, uploaded at once by a command, with its progress in every browser.

import { RacError, connect } from "../rac.js";
import { showConnection } from "./page.js";

const rac = connect(undefined, { agent: "example-uploads" });
const upload = rac.command("examples/uploads/upload");
const form = document.querySelector("#batch");
const { start, cancel } = form.elements;
const list = document.querySelector("#files");
const result = document.querySelector("#result");

// The page that starts a batch gets its steps, and may cancel it.
let run;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const names = new FormData(form).getAll("file");
  run = upload.execute(names);
  cancel.disabled = false;
  result.textContent = "";
  try {
    for await (const count of run) result.textContent = `${count} of ${names.length} files ${count === 1 ? "is" : "are"} uploaded.`;
  } catch (error) {
    result.textContent = error.code === "cancelled" ? "You have cancelled the uploads." : error.message;
  }
  cancel.disabled = true;
});
cancel.addEventListener("click", () => run.cancel());
upload.enabled.subscribe((isEnabled) => (start.disabled = !isEnabled));

// The progress is a property, so pages that come later see it, too.
const rows = new Map();
rac.property("examples/uploads/progress").subscribe((files) => {
  for (const { name, percent, state } of files) {
    const row = rows.get(name) ?? makeRow(name);
    row.querySelector("progress").value = percent;
    row.querySelector("output").textContent = state;
  }
});

function makeRow(name) {
  const row = document.querySelector("#file").content.firstElementChild.cloneNode(true);
  row.querySelector("span").textContent = name;
  row.querySelector("progress").setAttribute("aria-label", name);
  rows.set(name, row);
  list.append(row);
  return row;
}

// One of the open pages does the work. It only counts: nothing leaves the browser.
rac.host(upload.name, async function* (names) {
  const filesThatAre = (state) => names.map((name) => ({ name, percent: 0, state }));
  const isOpen = ({ state }) => state === "waiting" || state === "uploading";
  if (names.length === 0) throw new RacError("empty", "Choose a file first.");
  const files = filesThatAre("waiting");
  // The will is the value if this page is closed while it works.
  const will = { value: filesThatAre("lost with its page") };
  const progress = rac.property("examples/uploads/progress", { role: "leading", will });
  try {
    while (files.some(isOpen)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      files.filter(isOpen).forEach(advance);
      progress.value = files;
      yield files.filter(({ state }) => state === "uploaded").length;
    }
  } finally {
    // A caller that cancels ends the loop at its `yield`.
    for (const file of files.filter(isOpen)) file.state = "cancelled";
    progress.value = files;
    progress.unbind();
  }
});

function advance(file) {
  file.percent = Math.min(100, file.percent + 60 / file.name.length);
  file.state = file.percent === 100 ? "uploaded" : "uploading";
  if (file.name.endsWith(".bad") && file.percent > 50) file.state = "refused";
}

showConnection(document.querySelector("#connection"), rac);
