// console/embed writes this file.
// swift-format-ignore-file

extension EmbeddedFiles {
    /// The texts of the files, by their paths.
    static let texts: [String: StaticString] = [
        "examples/button.html": ##"""
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A button and its command · racd</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="examples.css">
<script type="module" src="button.js"></script>
<header>
<nav aria-label="Pages"><a href="/">racd</a> <a href="./">Examples</a></nav>
<output id="connection"></output>
</header>
<main>
<h1>A button and its command</h1>
<p>The lamp blinks five times in every browser. While it blinks, the button is disabled in all of them, because the command runs only once at a time. Open this page in two browsers.</p>
<section aria-label="The example">
<!-- example -->
<p>The lamp is <output id="lamp" data-on="false">off</output></p>
<button id="blink" disabled>Blink</button>
<output id="result"></output>
<!-- end -->
</section>
<h2>Source</h2>
<h3 id="page">The page</h3>
<pre data-source="button.html" tabindex="0" role="region" aria-labelledby="page"></pre>
<h3 id="script"><a href="button.js">button.js</a></h3>
<pre data-source="button.js" tabindex="0" role="region" aria-labelledby="script"></pre>
<p>The parts that all examples share are in <a href="page.js">page.js</a>.</p>
</main>
</html>

"""##,
        "examples/button.js": ##"""
// A button bound to a command, disabled in every browser while the command runs.

import { connect } from "/rac.js";
import { showConnection } from "./page.js";

const rac = connect(undefined, { agent: "example-button" });
const blink = rac.command("examples/lamp/blink");
const lamp = document.querySelector("#lamp");
const result = document.querySelector("#result");

blink.bindButton(document.querySelector("#blink"), {
  input: { times: 5 },
  step: (times) => (result.textContent = `The lamp has blinked ${times === 1 ? "once" : `${times} times`}.`),
  failed: (error) => (result.textContent = error.message),
});
rac.property("examples/lamp").subscribe((isOn) => {
  lamp.dataset.on = isOn;
  lamp.textContent = isOn ? "on" : "off";
});

// One of the open pages hosts the command and switches the lamp.
const lampSwitch = rac.property("examples/lamp");
rac.host(blink.name, async function* ({ times }) {
  for (let time = 1; time <= times; time += 1) {
    for (const isOn of [true, false]) {
      lampSwitch.value = isOn;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    yield time;
  }
});

showConnection(document.querySelector("#connection"), rac);

"""##,
        "examples/contact-form.html": ##"""
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contact form · racd</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="examples.css">
<script type="module" src="contact-form.js"></script>
<header>
<nav aria-label="Pages"><a href="/">racd</a> <a href="./">Examples</a></nav>
<output id="connection"></output>
</header>
<main>
<h1>Contact form</h1>
<p>Three fields, each bound to a channel. <strong>Save</strong> is a command. It is enabled in every browser while one of the fields has text. Open this page in two browsers.</p>
<section aria-label="The example">
<!-- example -->
<form id="contact" autocomplete="off">
  <label>Name <input name="name"></label>
  <label>Email <input name="email" type="email"></label>
  <label>Phone <input name="phone" type="tel"></label>
  <button name="save" disabled>Save</button>
  <output id="result"></output>
</form>
<p>Saved last: <output id="saved">nothing yet</output></p>
<!-- end -->
</section>
<h2>Source</h2>
<h3 id="page">The page</h3>
<pre data-source="contact-form.html" tabindex="0" role="region" aria-labelledby="page"></pre>
<h3 id="script"><a href="contact-form.js">contact-form.js</a></h3>
<pre data-source="contact-form.js" tabindex="0" role="region" aria-labelledby="script"></pre>
<p>The parts that all examples share are in <a href="page.js">page.js</a>.</p>
</main>
</html>

"""##,
        "examples/contact-form.js": ##"""
// Several fields, each bound to a channel. Saving is a command.

import { RacError, bindInput, connect } from "/rac.js";
import { showConnection } from "./page.js";

const rac = connect(undefined, { agent: "example-contact-form" });
const form = document.querySelector("#contact");
const result = document.querySelector("#result");
const saved = document.querySelector("#saved");

const keys = ["name", "email", "phone"];
const contact = keys.map((key) => rac.property(`examples/contact/${key}`));
keys.forEach((key, place) => bindInput(form.elements[key], contact[place]));

// Every page has the button, and shows the contact that was saved last.
const save = rac.command("examples/contact/save");
save.bindButton(form.elements.save, {
  step: () => (result.textContent = "Saved."),
  failed: (error) => (result.textContent = error.message),
});
form.addEventListener("submit", (event) => event.preventDefault());
rac.property("examples/contact/saved").subscribe((texts) => {
  saved.textContent = texts.filter(Boolean).join(", ");
});

// One of the open pages does the work, and allows it while one of the fields has text.
const hosting = rac.host(save.name, keepContact, { enabled: false });
for (const property of contact) {
  property.subscribe(() => (hosting.enabled = contact.some((property) => property.value)));
}

/** Keeps the contact and empties the fields, both or neither. Any program may execute it, so the address is checked here. */
async function keepContact() {
  const texts = contact.map((property) => property.value ?? "");
  if (!/^(\S+@\S+)?$/.test(texts[1])) throw new RacError("bad-email", "An email address looks like ada@example.org.");
  const emptied = contact.map((property) => ({ channel: property.name, value: "" }));
  await rac.put([{ channel: "examples/contact/saved", value: texts }, ...emptied]);
  return texts;
}

showConnection(document.querySelector("#connection"), rac);

"""##,
        "examples/examples.css": ##"""
:root {
    color-scheme: light dark;
    --ground: light-dark(#fff, #16191d);
    --raised: light-dark(#f6f7f8, #1d2126);
    --line: light-dark(#dfe3e6, #30363d);
    --text: light-dark(#1b1f23, #dfe3e8);
    --quiet: light-dark(#5b646d, #98a2ad);
    --accent: light-dark(#0a62b5, #6cb4ff);
    --fault: light-dark(#b3261e, #ff8a80);
    --lit: #ffd34d;
}

* {
    box-sizing: border-box;
}

body {
    background: var(--ground);
    color: var(--text);
    font: 1rem/1.5 system-ui, sans-serif;
    margin: 0;
}

header,
main {
    margin: 0 auto;
    max-width: 46rem;
    padding: 1rem;
}

header {
    align-items: baseline;
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.5rem;
    justify-content: space-between;
}

nav a + a {
    margin-left: 1rem;
}

a {
    color: var(--accent);
}

h1 {
    font-size: 1.6rem;
    line-height: 1.2;
    margin: 0.5rem 0;
}

h2 {
    font-size: 1.15rem;
    margin: 2rem 0 0.5rem;
}

h3 {
    color: var(--quiet);
    font-size: 0.95rem;
    font-weight: 500;
    margin: 1rem 0 0.25rem;
}

section,
.cards li,
pre {
    background: var(--raised);
    border: 1px solid var(--line);
    border-radius: 6px;
    padding: 1rem;
}

pre {
    font: 0.8125rem/1.5 ui-monospace, monospace;
    margin: 0;
    overflow-x: auto;
}

:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
}

/* The index */

.cards {
    display: grid;
    gap: 1rem;
    grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr));
    list-style: none;
    padding: 0;
}

.cards h2,
.cards p {
    margin: 0;
}

/* The connection */

#connection {
    color: var(--quiet);
    font-size: 0.875rem;
}

#connection::before {
    background: var(--quiet);
    border-radius: 50%;
    content: "";
    display: inline-block;
    height: 0.6em;
    margin-right: 0.5em;
    width: 0.6em;
}

#connection[data-state="connected"]::before {
    background: var(--accent);
}

#connection[data-state="lost"],
#connection[data-state="closed"] {
    color: var(--fault);
}

#connection[data-state="lost"]::before,
#connection[data-state="closed"]::before {
    background: var(--fault);
}

/* Forms */

form > label {
    display: block;
    margin-bottom: 0.75rem;
}

fieldset {
    border: 1px solid var(--line);
    border-radius: 4px;
    margin: 0 0 1rem;
}

fieldset label {
    display: block;
}

input:not([type="checkbox"]) {
    background: var(--ground);
    border: 1px solid var(--line);
    border-radius: 4px;
    color: inherit;
    display: block;
    font: inherit;
    padding: 0.5rem 0.625rem;
    width: 100%;
}

button {
    background: var(--accent);
    border: 1px solid transparent;
    border-radius: 4px;
    color: var(--ground);
    cursor: pointer;
    font: inherit;
    font-weight: 500;
    margin-right: 0.5rem;
    padding: 0.5rem 1.25rem;
}

button[type="button"] {
    background: none;
    border-color: var(--line);
    color: inherit;
}

button:disabled {
    background: none;
    border-color: var(--line);
    color: var(--quiet);
    cursor: default;
}

section > :first-child {
    margin-top: 0;
}

section > :last-child {
    margin-bottom: 0;
}

#lamp {
    border: 1px solid var(--line);
    border-radius: 1rem;
    display: inline-block;
    min-width: 4rem;
    padding: 0.125rem 0.75rem;
    text-align: center;
}

#lamp[data-on="true"] {
    background: var(--lit);
    border-color: var(--lit);
    color: #1b1f23;
}

#files {
    list-style: none;
    margin: 0;
    padding: 0;
}

#files:not(:empty) {
    margin-top: 1rem;
}

#files li {
    align-items: center;
    display: grid;
    gap: 0 1rem;
    grid-template-columns: 1fr 6rem 5.5rem;
}

#files progress {
    accent-color: var(--accent);
    width: 100%;
}

"""##,
        "examples/index.html": ##"""
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Examples · racd</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="examples.css">
<header>
<nav aria-label="Pages"><a href="/">racd</a></nav>
</header>
<main>
<h1>Examples</h1>
<p>Four small pages, each written with <a href="/rac.js">rac.js</a> alone. Open one in two browsers, or in two windows, and watch both.
Each example shows its source below, ready to copy. <a href="/">The page of racd</a> shows their channels below <code>examples</code>.</p>
<ul class="cards">
<li>
<h2><a href="contact-form.html">Contact form</a></h2>
<p>Three fields, each bound to a channel. <strong>Save</strong> is a command. It is enabled in every browser while one of the fields has text.</p>
</li>
<li>
<h2><a href="text-fields.html">Two text fields</a></h2>
<p>Two fields bound to one property, and so to each other. The caret stays where it is, and nobody is interrupted while typing.</p>
</li>
<li>
<h2><a href="button.html">A button and its command</a></h2>
<p>The lamp blinks five times in every browser. While it blinks, the button is disabled in all of them, because the command runs only once at a time.</p>
</li>
<li>
<h2><a href="uploads.html">A batch of uploads</a></h2>
<p>One command uploads several files at once, and every browser shows the progress. A refused file does not stop the others. The browser that started the batch may cancel it.</p>
</li>
</ul>
</main>
</html>

"""##,
        "examples/page.js": ##"""
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

"""##,
        "examples/text-fields.html": ##"""
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Two text fields · racd</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="examples.css">
<script type="module" src="text-fields.js"></script>
<header>
<nav aria-label="Pages"><a href="/">racd</a> <a href="./">Examples</a></nav>
<output id="connection"></output>
</header>
<main>
<h1>Two text fields</h1>
<p>Two fields bound to one property, and so to each other. The caret stays where it is, and nobody is interrupted while typing. Open this page in two browsers.</p>
<section aria-label="The example">
<!-- example -->
<form id="fields" autocomplete="off">
  <label>Left <input></label>
  <label>Right <input></label>
</form>
<!-- end -->
</section>
<h2>Source</h2>
<h3 id="page">The page</h3>
<pre data-source="text-fields.html" tabindex="0" role="region" aria-labelledby="page"></pre>
<h3 id="script"><a href="text-fields.js">text-fields.js</a></h3>
<pre data-source="text-fields.js" tabindex="0" role="region" aria-labelledby="script"></pre>
<p>The parts that all examples share are in <a href="page.js">page.js</a>.</p>
</main>
</html>

"""##,
        "examples/text-fields.js": ##"""
// Two fields of one property: each shows the text of the other, in every browser.

import { bindInput, connect } from "/rac.js";
import { showConnection } from "./page.js";

const rac = connect(undefined, { agent: "example-text-fields" });
const text = rac.property("examples/text");
for (const field of document.querySelectorAll("#fields input")) bindInput(field, text);

showConnection(document.querySelector("#connection"), rac);

"""##,
        "examples/uploads.html": ##"""
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A batch of uploads · racd</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="examples.css">
<script type="module" src="uploads.js"></script>
<header>
<nav aria-label="Pages"><a href="/">racd</a> <a href="./">Examples</a></nav>
<output id="connection"></output>
</header>
<main>
<h1>A batch of uploads</h1>
<p>One command uploads several files at once, and every browser shows the progress. A refused file does not stop the others. The browser that started the batch may cancel it. Open this page in two browsers.</p>
<section aria-label="The example">
<!-- example -->
<form id="batch">
  <fieldset>
    <legend>Files</legend>
    <label><input type="checkbox" name="file" value="notes.txt" checked> notes.txt</label>
    <label><input type="checkbox" name="file" value="photograph.jpg" checked> photograph.jpg</label>
    <label><input type="checkbox" name="file" value="broken.bad" checked> broken.bad</label>
    <label><input type="checkbox" name="file" value="a film that takes longer.mp4" checked> a film that takes longer.mp4</label>
  </fieldset>
  <button name="start" disabled>Upload</button>
  <button name="cancel" type="button" disabled>Cancel</button>
  <output id="result"></output>
</form>
<ul id="files"></ul>
<template id="file">
  <li><span></span> <progress max="100" value="0"></progress> <output></output></li>
</template>
<!-- end -->
</section>
<h2>Source</h2>
<h3 id="page">The page</h3>
<pre data-source="uploads.html" tabindex="0" role="region" aria-labelledby="page"></pre>
<h3 id="script"><a href="uploads.js">uploads.js</a></h3>
<pre data-source="uploads.js" tabindex="0" role="region" aria-labelledby="script"></pre>
<p>The parts that all examples share are in <a href="page.js">page.js</a>.</p>
</main>
</html>

"""##,
        "examples/uploads.js": ##"""
// A batch of files, uploaded at once by a command, with its progress in every browser.

import { RacError, connect } from "/rac.js";
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
const progress = rac.property("examples/uploads/progress");
rac.host(upload.name, async function* (names) {
  const files = names.map((name) => ({ name, percent: 0, state: "waiting" }));
  const isOpen = ({ state }) => state === "waiting" || state === "uploading";
  if (files.length === 0) throw new RacError("empty", "Choose a file first.");
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
  }
});

function advance(file) {
  file.percent = Math.min(100, file.percent + 60 / file.name.length);
  file.state = file.percent === 100 ? "uploaded" : "uploading";
  if (file.name.endsWith(".bad") && file.percent > 50) file.state = "refused";
}

showConnection(document.querySelector("#connection"), rac);

"""##,
        "index.html": ##"""
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>racd</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page/style.css">
<script type="module" src="/page/main.js"></script>
<body data-view="list" spellcheck="false">
<header class="bar">
<h1><a href="#overview" id="home">racd</a></h1>
<span id="server"></span>
<span id="connection" role="status" data-state="connecting">connecting</span>
<button type="button" data-act="retry" hidden>Try now</button>
<span id="principal"></span>
<nav aria-label="Page">
<a href="#overview" data-act="overview">Overview</a>
<a href="/examples/">Examples</a>
<a href="/openapi.json">API</a>
<button type="button" data-act="keys" aria-label="Keyboard" title="?">?</button>
<button type="button" data-act="sign-out" hidden>Sign out</button>
<button type="button" data-act="sign-in" hidden>Sign in</button>
</nav>
</header>
<main>
<section id="browse" aria-label="Names">
<div class="tools">
<div class="tabs" role="tablist" aria-label="Kind of names">
<button type="button" role="tab" id="tab-channels" aria-controls="channels" aria-selected="true">Channels <span class="count" id="channel-count"></span></button>
<button type="button" role="tab" id="tab-commands" aria-controls="commands" aria-selected="false" tabindex="-1">Commands <span class="count" id="command-count"></span></button>
</div>
<input type="search" id="filter" aria-label="Filter" placeholder="Filter: home/** or a part of a name" autocapitalize="off" autocomplete="off" aria-describedby="filter-state">
<p id="filter-state" role="status"></p>
</div>
<div id="channels" class="list" role="tabpanel" aria-labelledby="tab-channels">
<div id="tree" class="tree" role="treegrid" aria-label="Channels" tabindex="0" aria-colcount="3">
<div class="titles" role="rowgroup"><div role="row" aria-rowindex="1"><span role="columnheader">Name</span><span role="columnheader">Value</span><span role="columnheader">Changed</span></div></div>
<div class="rows" role="rowgroup"></div>
</div>
<p class="empty" id="empty"></p>
</div>
<div id="commands" class="list" role="tabpanel" aria-labelledby="tab-commands" hidden>
<div id="command-tree" class="tree" role="treegrid" aria-label="Commands" tabindex="0" aria-colcount="3">
<div class="titles" role="rowgroup"><div role="row" aria-rowindex="1"><span role="columnheader">Name</span><span role="columnheader">State</span><span role="columnheader">Host</span></div></div>
<div class="rows" role="rowgroup"></div>
</div>
<p class="empty" id="no-commands" hidden>Nobody has hosted a command yet: <code>racctl provide NAME -- PROGRAM</code></p>
</div>
<div class="foot" role="toolbar" aria-label="Channels">
<button type="button" id="pause" aria-pressed="false" title="p">Pause</button>
<span id="rate"></span>
<button type="button" data-act="new">New…</button>
<button type="button" data-act="export">Export…</button>
<button type="button" data-act="import">Import…</button>
<input type="file" id="import-file" accept=".jsonl,.ndjson,.json" hidden>
</div>
</section>
<div id="stage">
<a href="#" class="back" data-act="back">‹ Names</a>
<article id="overview" aria-label="Overview"></article>
<article id="detail" aria-label="Channel" hidden></article>
<article id="command" aria-label="Command" hidden></article>
</div>
</main>
<div id="notice" role="status"></div>
</body>
</html>

"""##,
        "page/channels.js": ##"""


import{cut}from "./history.js";
import{Names,below}from "./names.js";


const PREVIEW=400;

const SMALL=200;


const line=text=>cut(text,PREVIEW)?.replace(/\s*[\r\n]\s*/g," ");

const brief=({revision,state,error,by,raw,rawWish})=>({revision,state,error,by,size:raw?.length??0,preview:line(raw),wish:line(rawWish)});


class Channel{

at;
#changes=0;
#measured={at:0,changes:0,rate:0};

update(state){
Object.assign(this,brief(state))
}


count(isLive){
if(isLive)this.#changes+=1;
this.at=isLive?Date.now():void 0
}


rate(now){
const{at,changes,rate}=this.#measured;
const time=now-at;
if(time<1000)return rate;

const isOld=at===0||time>5000;
this.#measured={at:now,changes:this.#changes,rate:isOld?0:((this.#changes-changes)*1000)/ time};
return this.#measured.rate
}
}


export class Channels{
names=new Names();
isSynced=false;
isOwnSynced=false;

problem;

#held;
#listeners=new Set();


constructor(rac,synced){
const watch=(pattern,listener)=>{
const changed=state=>this.#changed(state,watched.isSynced);
const watched=rac.watch(pattern,{changed,...listener},{keep:false})
};
watch("**",{error:problem=>(this.problem=problem),synced:()=>this.#synced(synced)});
watch(below("$sys"),{
synced:()=>{
if(this.isOwnSynced)return;
this.isOwnSynced=true;
synced()
}
})
}


get count(){
const{count,children}=this.names.root;
return count-(children.get("$sys")?.count??0)
}


subscribe(listener){
this.#listeners.add(listener);
return()=>this.#listeners.delete(listener)
}

get(name){
return this.names.get(name)?.entry
}


shown(channel){
return this.#held?.get(channel)??channel
}


hold(isHeld,state){
this.#held=isHeld?new Map():void 0;
if(state!==void 0)this.#held?.set(this.get(state.name),{...brief(state),at:state.at})
}

#changed(state,isLive){
const{name}=state;
let channel=this.get(name);
if(state.state==="deleted"){
this.names.remove(name);
channel=void 0
}else{
if(channel===void 0)this.names.add(name,(channel=new Channel()));
if(this.#held?.has(channel)===false)this.#held.set(channel,{...channel});
channel.update(state);
channel.count(isLive)
}
for(const listener of this.#listeners)listener(name,state,channel)
}

#synced(tell){
const isFirst=!this.isSynced;
if(isFirst&&this.count<=SMALL){
this.names.openBranches();
this.names.toggle({name:"$sys"},false)
}
this.isSynced=true;
this.names.version+=1;
if(isFirst)tell()
}
}

"""##,
        "page/commands.js": ##"""


import{button,clock,codeAndWords,count,facts,h,joined,plural,put,setText,shown,shownName,submit}from "./dom.js";
import{ask,attempt,tell,wordsFor}from "./dialogs.js";
import{faultOfJSON}from "./json.js";
import{Names}from "./names.js";
import{raw}from "/rac.js";


const READING=1500;

const VALUES=100;
const RUNS=20;
const FAILURES=8;


export class Commands{
names=new Names();
isRead=false;
#rac;
#isReading=false;

constructor(rac,{isSeen}){
this.#rac=rac;
this.names.openBranches();
rac.connection.subscribe(()=>this.read());
setInterval(()=>isSeen()&&this.read(),READING)
}

get(name){
return this.names.get(name)?.entry
}

async read(){
if(this.#isReading||this.#rac.connection.value.state!=="connected")return;
this.#isReading=true;
try{
const told=new Set();
for(let[after,more]=[void 0,true];more;){
const page=await this.#rac.commands({after});
for(const command of page.commands){
after=command.command;
told.add(after);
const node=this.names.get(after);
if(node===void 0)this.names.add(after,command);
else node.entry=command
}
more=page.more&&page.commands.length>0
}
for(const{name}of[...this.names.all()])if(!told.has(name))this.names.remove(name);
this.isRead=true
}catch(error){
if(error.code!=="timed-out")tell(wordsFor(error),{isFault:true})
}
this.#isReading=false
}
}


export const WORDS={executing:"executing",enabled:"enabled",disabled:"not enabled",gone:"no host"};

export function stateOf({enabled,executing,connection}){
if(executing)return "executing";
return enabled?"enabled":connection===void 0?"gone":"disabled"
}


function showState(badge,state,words=state){
setText(badge,words);
badge.dataset.state=state
}


function putFirst(list,item,most){
list.prepend(item);
while(list.childElementCount>most)list.lastChild.remove()
}


function run(command,input){
const execution=command.execute(input===""?void 0:raw(input));
const values=[];
let[total,isAsked]=[0,false];
const state=h("span.state",{"data-state":"executing"},"executing");
const counted=h("span.count");
const cancel=button("cancel-run","Cancel",()=>{
cancel.disabled=true;
setText(state,"cancelling");
execution.cancel()
});
const bar=h("progress",{"aria-label":"Executing"});
const list=h("pre.content",{tabindex:0,"aria-label":"Values",hidden:true});
const fault=h("p.error",{role:"alert"});
const element=h("li.run",h("div.head",h("span.count",clock(Date.now())),h("code",shown(input.slice(0,200))),state,counted,h("div.buttons",cancel)),bar,list,fault);

function draw(){
isAsked=false;
setText(counted,plural(total,"value"));
list.hidden=total===0;
put(list,shown(values.join("\n")));
list.scrollTop=list.scrollHeight
}

function end(word){
draw();
bar.remove();
cancel.remove();
showState(state,word)
}

async function follow(){
try{
for await(const _ of execution){
total+=1;
values.push(execution.raw);
if(values.length>VALUES)values.shift();
if(!isAsked)requestAnimationFrame(draw);
isAsked=true
}
end("completed")
}catch(error){
end(error.code==="cancelled"?"cancelled":"failed");
if(error.code!=="cancelled")put(fault,codeAndWords(error))
}
}

follow();
return element
}


export function makeCommandPanel(rac,commands,element){
const runs=new Map();
let[name,command,parts]=[];
let undo=[];

setInterval(()=>name!==void 0&&drawFacts(),READING);

function build(){
parts={
state:h("span.state",{id:"command-state"}),
facts:h("dl.facts"),
input:h("textarea",{id:"input",rows:2,"aria-describedby":"input-fault",placeholder:"JSON; may be left empty"}),
fault:h("p.fault",{id:"input-fault",role:"alert"}),
execute:submit("execute","Execute",{id:"execute",title:"Ctrl+Enter"}),
forget:button("forget","Forget…",forget),
runs:h("ul.plain",{id:"runs"},runs.get(name)),
failures:h("ul.plain",{id:"failures"})
};
const onkeydown=event=>event.key==="Enter"&&(event.ctrlKey||event.metaKey)&&execute(event);
put(element,
h("header",h("h2",{tabindex:-1},shownName(name)),parts.state,h("div.buttons",parts.forget)),parts.facts,
h("form.execution",{onsubmit:execute,onkeydown},h("label","Input",parts.input),parts.fault,h("div.buttons",parts.execute)),
h("section",h("h3","Executions",h("small","of this page")),parts.runs),
h("section",h("h3","Errors",h("small","of all callers")),parts.failures));
drawFacts()
}

async function drawState(){
const{enabled,executing}=command;
const state=stateOf({enabled:enabled.value,executing:executing.value,connection:commands.get(name)?.connection});
parts.execute.disabled=!enabled.value;
showState(parts.state,state,WORDS[state]);
await commands.read();
if(name!==void 0)drawFacts()
}

function drawFacts(){
const known=commands.get(name);
const host=known?.connection!==void 0;
parts.forget.hidden=known===void 0||host;
put(parts.facts,known&&facts([
["Host",host?shown(joined(known.name,known.agent,known.principal??known.peer)):"nobody"],
["Runs",known.concurrent?"several at once":"once at a time"],
["Executions",count(known.executions)],
["Observers",count(known.observers)]
]))
}

function execute(event){
event.preventDefault();
const text=parts.input.value.trim();
const problem=text===""?void 0:faultOfJSON(text);
setText(parts.fault,problem??"");
if(problem!==void 0||!command.enabled.value)return;
putFirst(parts.runs,run(command,text),RUNS);
runs.set(name,[...parts.runs.children])
}

function failed(error){
putFirst(parts.failures,h("li",h("span.count",clock(Date.now()))," ",codeAndWords(error)),FAILURES)
}

async function forget(){

const of=name;
const text=`Nobody hosts ${of}. racd forgets it until somebody does again.`;
if((await ask({title:"Forget the command?",text,act:"Forget"}))===void 0)return;
await attempt(async()=>{
await rac.forget(of);
tell(`${of} is forgotten.`);
await commands.read()
})
}

return{
show(chosen){
if(chosen===name)return;
for(const stop of undo)stop();
undo=[];
name=chosen;
if(name===void 0)return;
build();
command=rac.command(name);
undo=[command.enabled.subscribe(drawState),command.executing.subscribe(drawState),command.failures.subscribe(failed)]
}
}
}

"""##,
        "page/detail.js": ##"""


import{button,bytes,clientCells,codeAndWords,count,dateAndTime,duration,facts,h,joined,put,rate,setText,shown,shownName,table}from "./dom.js";
import{tell,wordsFor}from "./dialogs.js";
import{keepDraft,takeDrafts}from "./drafts.js";
import{makeEditor}from "./editor.js";
import{complete,create,fail,remove,reopen}from "./ends.js";
import{History,changeTable,sparkline}from "./history.js";
import{laidOut}from "./json.js";
import{raw}from "/rac.js";


const READING=200;
const BINDINGS=2000;

const SHOWN=8192;

const FORMATTED=131_072;
const PIECE=4096;

const HISTORIES=40;


function pieces(text){
const blocks=[];
for(let[from,to]=[0,0];from<text.length;from=to){
to=from+PIECE;

if(/[\ud800-\udbff]/.test(text[to-1]??""))to+=1;
blocks.push(h("span.piece",shown(text.slice(from,to))))
}
return blocks
}

const formatted=text=>h("bdi",laidOut(text).map(piece=>(piece.kind===void 0?piece.text:h(`span.json-${piece.kind}`,shown(piece.text)))));


function makeSide(side,edit){
const view=h("pre.content",{id:side,tabindex:0,"aria-label":`The ${side}`});
const title=h("h3");
const note=h("p.hint");
const place=h("div");
const opener=button(`edit-${side}`,"Edit",edit,{title:"e"});
const formats=button("raw","Raw",toggle,{"aria-pressed":"false"});
view.addEventListener("animationend",()=>view.classList.remove("flash"));
let[text,isRaw,isWhole,canEdit]=[void 0,false,false,false];

function draw(){
const isCut=text?.length>SHOWN&&!isWhole;
if(text===void 0)put(view,h("i","no value yet"));
else if(isCut)put(view,pieces(text.slice(0,SHOWN)),"…");
else put(view,isRaw||text.length>FORMATTED?pieces(text):formatted(text));
put(note,isCut&&[`The first ${bytes(SHOWN)} of ${bytes(text.length)}. `,button("all","Show all",showAll)])
}

function showAll(){
isWhole=true;
draw()
}

function toggle(){
isRaw=!isRaw;
formats.setAttribute("aria-pressed",isRaw);
draw()
}

const hideOpener=()=>(opener.hidden=!canEdit||place.hasChildNodes());

return{
element:h("section.side",{"data-side":side},h("div.head",title,h("div.buttons",formats,opener)),view,note,place),
opener,
show(newText,words,isEditable){
setText(title,words);
canEdit=isEditable;
hideOpener();
if(newText===text&&view.hasChildNodes())return;
if(text!==void 0)view.classList.add("flash");
text=newText;
draw()
},
mount(editor){
put(place,editor?.element);
hideOpener()
}
}
}


export function makeDetail(rac,channels,element,{isPaused,principal}){
const histories=new Map();

const editors=new Map();

const denied=new Map();
let[name,state,fault,listed,perSecond,parts,sides]=[];
let[isOnline,isReading,isDue,drawnRevision]=[false,false,false,0];

channels.subscribe((changed,{revision,by,raw:text,rawWish:wish,state:word},channel)=>{
if(channel?.at!==void 0)histories.get(changed)?.add({revision,at:channel.at,by,text,wish,state:word});
if(changed===name)isDue=true
});
rac.connection.subscribe(connection=>{
isOnline=connection.state==="connected";
isDue=true;

[listed,perSecond]=[];
denied.clear();
if(name!==void 0)draw();
readBindings()
});
setInterval(tick,READING);
setInterval(readBindings,BINDINGS);



function tick(){
if(name===void 0)return;
const age=parts.facts.querySelector(".age");
if(age!==null)setText(age,`${duration(Date.now() - state.at)} ago`);
if(isDue&&!isReading&&isOnline&&!isHeld())read()
}


const isHeld=()=>state!==void 0&&isPaused();


async function read(){
const asked=name;
[isReading,isDue]=[true,false];
try{
const got=await rac.get(asked);
if(asked!==name)return;

if(isHeld())return(isDue=true);
[state,fault]=[got,void 0];
historyOf(name).add({revision:got.revision,at:got.at,by:got.by,text:got.raw,wish:got.rawWish,state:got.state})
}catch(error){
if(asked!==name)return;
fault=error;
if(error.code==="no-such-channel")state=void 0;
if(error.code==="timed-out")isDue=true
}finally{
isReading=false
}
draw()
}

function historyOf(key){
if(!histories.has(key))histories.set(key,new History());
if(histories.size>HISTORIES)histories.delete(histories.keys().next().value);
return histories.get(key)
}

async function readBindings(){
if(name===void 0||!isOnline||isPaused()||document.hidden)return;
const asked=name;
try{
const{channels:[told]}=await rac.list({pattern:asked,limit:1});
const{who,more}=await rac.who({channel:asked,limit:100});
if(asked!==name)return;
measure(told&&{...told,readAt:performance.now()});
drawBindings(who,more)
}catch(error){
if(asked===name)drawBindings([],false,error.code==="no-such-channel"?void 0:wordsFor(error))
}
}


function measure(told){
if(listed&&told)perSecond=((told.changes-listed.changes)*1000)/(told.readAt-listed.readAt);
listed=told;
drawFacts()
}



function build(){
const act=(key,label,work)=>button(key,label,()=>work(rac,name,{bound:listed?.bound,failed:denying("manage",name)}));
sides={value:makeSide("value",()=>edit("value")),wish:makeSide("wish",()=>edit("wish"))};
parts={
state:h("span.state",{id:"state"}),
facts:h("dl.facts"),
rights:h("p.hint",{id:"rights"}),
error:h("p.error",{id:"channel-error"}),
fault:h("div.fault",{role:"alert"}),
history:h("section.history",{id:"history","aria-label":"Last changes"}),
bindings:h("section",{id:"bindings","aria-label":"Bindings"}),
complete:act("complete","Complete…",complete),
fail:act("fail","Fail…",fail),
reopen:act("reopen","Reopen",reopen),
remove:act("delete","Delete…",remove)
};
const ends=h("div.buttons",parts.complete,parts.fail,parts.reopen,parts.remove);
put(element,h("header",h("h2",{tabindex:-1},shownName(name)),parts.state,ends),
parts.fault,parts.error,parts.facts,parts.rights,sides.value.element,sides.wish.element,parts.history,parts.bindings);
for(const[side,{mount}]of Object.entries(sides))mount(editors.get(`${side} ${name}`));
drawnRevision=0;
draw()
}

function draw(){
const isOwn=name.startsWith("$");
const isOpen=state?.state==="open";
const isPaired=state?.mode==="paired";
const focused=document.activeElement;
drawFault();
setText(parts.state,state?.state??(fault===void 0?"reading…":""));
parts.state.dataset.state=state?.state??"";
parts.complete.hidden=parts.fail.hidden=isOwn||!isOpen;
parts.reopen.hidden=isOwn||state===void 0||isOpen;
parts.remove.hidden=isOwn||state===void 0;

if(focused.hidden&&element.contains(focused))[parts.reopen,parts.complete,element.querySelector("h2")].find(({hidden})=>!hidden).focus();
const{code,message="",data}=state?.error??{};
put(parts.error,code&&[codeAndWords({code,message}),data!==void 0&&[" ",h("code",shown(JSON.stringify(data)))]]);
sides.value.element.hidden=state===void 0&&!editors.has(`value ${name}`);
sides.wish.element.hidden=!isPaired&&!editors.has(`wish ${name}`);
if(state!==void 0){
sides.value.show(state.raw,isPaired?"Value: what is":"Value",isOpen&&!isOwn);
sides.wish.show(state.rawWish,"Wish: what should be",isOpen&&!isOwn)
}
if(state!==void 0||fault?.code==="no-such-channel"){
for(const side of["value","wish"])editors.get(`${side} ${name}`)?.present(standing(side),state===void 0)
}
drawFacts();
drawHistory();
drawRights()
}


function drawRights(){
const verbs=[verbOf("value"),verbOf("wish"),"manage"].map(verb=>denied.get(`${verb} ${name}`));
const buttons=[[sides.value.opener],[sides.wish.opener],[parts.complete,parts.fail,parts.reopen,parts.remove]];
buttons.forEach((some,at)=>some.forEach(one=>(one.disabled=verbs[at]!==void 0)));
setText(parts.rights,[...new Set(verbs)].filter(Boolean).join("; "))
}


function denying(verb,of){
return(error)=>{
if(error.code!=="forbidden")return;
denied.set(`${verb} ${of}`,error.message);
if(of===name)drawRights()
}
}

function drawFault(){
const isMissing=fault?.code==="no-such-channel";
const words=isMissing?"There is no channel of this name.":fault&&wordsFor(fault);
if(words===(parts.fault.firstChild?.textContent??void 0))return;
put(parts.fault,words&&h("p",words),isMissing&&button("create","Create it…",()=>create(rac,name)))
}

function drawFacts(){
put(parts.facts,state&&facts([
["Revision",Math.max(state.revision,state.wishRevision??0)],
state.at!==void 0&&["Changed",h("span.age",{title:dateAndTime(state.at)},`${duration(Date.now() - state.at)} ago`)],
state.by&&["Writer",shown(state.by)],
["Mode",state.mode],
["Size",bytes(new Blob([state.raw??""]).size)],
listed&&["Changes",`${count(listed.changes)}${perSecond > 0 ? `, ${rate(perSecond)} a second` : ""}`]
]))
}

function drawHistory(){
const history=histories.get(name);
const newest=history?.changes.at(-1)?.revision??0;
if(newest===drawnRevision)return;
drawnRevision=newest;
const{numbers,changes}=history;
const span=`${count(changes.length)} in ${duration(changes.at(-1).at - changes[0].at)}`;
put(parts.history,h("h3","Last changes",h("small",changes.length<2?"since this page shows it":span)),
numbers.length>1&&sparkline(numbers,"The last values"),changeTable(history))
}

function drawBindings(who,more,problem){
const rows=who.map(one=>[
...clientCells(one),
shown(one.principal??one.peer??""),
one.role,
joined(one.interval&&`each ${one.interval} ms`,one.conflate===false&&"every value"),
["slow",one.slow&&"slow"]
]);
const list=table("Table of bindings",["Connection","Client","Via","From","Side","Gets",""],rows);
put(parts.bindings,h("h3","Bindings",h("small",`${who.length}${more ? " and more" : ""}`)),who.length>0?list:h("p.hint",problem??"Nobody is bound."))
}




function standing(side){
const{raw:value,revision=0,rawWish:wish,wishRevision=0}=state??{};
return side==="value"?{text:value,revision}:{text:wish,revision:wishRevision}
}

const roleOf=side=>(state?.mode==="paired"&&side==="value"?"leading":"following");
const verbOf=side=>(roleOf(side)==="leading"?"lead":"write");


function edit(side=state?.mode==="paired"?"wish":"value"){
if(state?.state!=="open"||name.startsWith("$")||sides[side].opener.disabled)return;
const key=`${side} ${name}`;
if(!editors.has(key)){
begin({edited:name,side,mode:state.mode,role:roleOf(side),base:standing(side)});
sides[side].mount(editors.get(key))
}
editors.get(key).focus()
}

function begin(draft){
const{edited,side,mode,role}=draft;
editors.set(`${side} ${edited}`,makeEditor(draft,{
isOnline:()=>isOnline,
connected,
async send(text,condition){

if(condition===0)await rac.create(edited,{mode}).catch(()=>{});
await rac.set(edited,raw(text),{if:condition,role}).catch(error=>{
denying(role==="leading"?"lead":"write",edited)(error);
throw error
})
},
closed:sent=>closed(edited,side,sent)
}))
}

function closed(edited,side,sent){
editors.delete(`${side} ${edited}`);
if(edited!==name)return sent&&tell(`${edited} is set.`);
sides[side].mount();
isDue=true;
draw();
sides[side].opener.focus()
}

function connected(){
return new Promise(resolve=>{
const stop=rac.connection.subscribe(connection=>{
if(connection.state!=="connected")return;
resolve();
queueMicrotask(()=>stop())
})
})
}


const isEditing=of=>["value","wish"].some(side=>editors.get(`${side} ${of}`)?.isChanged);

takeDrafts(principal).forEach(begin);
return{
edit,
isEditing,
get name(){
return name
},

get state(){
return state
},

get isEdited(){
return[...editors.values()].some(editor=>editor.isChanged)
},

keep(){
for(const{isChanged,draft}of editors.values())if(isChanged)keepDraft({...draft,principal});
editors.clear()
},
show(chosen){
if(chosen===name)return;
[name,state,fault,listed,perSecond]=[chosen];

denied.clear();
if(name===void 0)return;
build();
isDue=true;
tick();
readBindings()
}
}
}

"""##,
        "page/dialogs.js": ##"""


import{$,button,h,put,setText,submit}from "./dom.js";


function open(id,title,form,closed=()=>{}){
const dialog=h("dialog",{id,"aria-labelledby":`${id}-title` }, h("h2", { id: `${id}-title`},title),form);
dialog.addEventListener("close",()=>{
dialog.remove();
closed()
});
document.body.append(dialog);
dialog.showModal();
return dialog
}








export function ask({title,text,fields=[],act,isGrave=false,check=()=>{}}){
return new Promise(resolve=>{
let answers;
const fault=h("p.fault",{role:"alert"});
const confirm=submit("confirm",act,isGrave&&{class:"grave"});
const onsubmit=async(event)=>{
event.preventDefault();
const values=Object.fromEntries(new FormData(form));
confirm.disabled=true;
const problem=await Promise.resolve(values).then(check).catch(wordsFor);
confirm.disabled=false;
setText(fault,problem??"");
if(problem!==void 0)return;
answers=values;
dialog.close()
};
const form=h("form",{method:"dialog",onsubmit},text&&h("p",text),fields,fault,
h("div.buttons",button("cancel","Cancel",()=>dialog.close()),confirm));
const dialog=open("dialog",title,form,()=>resolve(answers));
const first=form.querySelector("input");
first?.focus();

first?.setSelectionRange(first.value.endsWith("/")?first.value.length:0,first.value.length)
})
}


export function explain(title,...content){
open("dialog",title,h("form",{method:"dialog"},content,h("div.buttons",submit("cancel","Close"))))
}


export function busy(title){
const bar=h("progress",{max:1,"aria-label":title});
const form=h("form",{method:"dialog"},bar,h("div.buttons",submit("cancel","Cancel")));
const dialog=open("busy",title,form,()=>(progress.isCancelled=true));
const progress={
isCancelled:false,
show:(done,total)=>(bar.value=done/total),
close:()=>dialog.remove()
};
return progress
}


export const field=(label,input,hint)=>h("label",h("span",label),input,hint&&h("small",hint));





export function tell(text,{undo,label="Undo",isFault=false}={}){
const box=$("#notice");
const close=then=>()=>{
put(box);
then?.()
};
box.dataset.kind=isFault?"fault":"news";
box.setAttribute("aria-live",isFault?"assertive":"polite");
put(box,h(undo?"span":"span.passing",{onanimationend:close()},text),undo&&button("undo",label,close(undo)),button("dismiss","×",close(),{"aria-label":"Dismiss"}))
}

window.addEventListener("hashchange",()=>$(".passing")!==null&&put($("#notice")));

const WORDS={forbidden:"You may not do that: ",unauthenticated:"You are not signed in: ",storage:"The disk refused: "};


const FIRST=/^(an?|it|more|no|nobody|not|only|the|there|this|too) /;


export function wordsFor({code,message}){
const words=WORDS[code];
return words===void 0?message.replace(FIRST,word=>word[0].toUpperCase()+ word.slice(1)):words+message
}


export async function attempt(work,failed){
try{
return await work()
}catch(error){
failed?.(error);
tell(wordsFor(error),{isFault:true});
return void 0
}
}

"""##,
        "page/dom.js": ##"""







export function h(tag,...content){
const[name,...classes]=tag.split(".");
const element=document.createElement(name);
if(classes.length>0)element.className=classes.join(" ");
if(name==="button")element.type="button";
return fill(element,content)
}


export const svg=(tag,...content)=>fill(document.createElementNS("http://www.w3.org/2000/svg",tag),content);

function fill(element,content){
const attributes=content[0]?.constructor===Object?content.shift():{};
for(const[name,value]of Object.entries(attributes)){
if(value===void 0||value===false)continue;
if(name.startsWith("on"))element.addEventListener(name.slice(2),value);
else element.setAttribute(name,value===true?"":value)
}
return put(element,...content)
}


export function put(element,...content){
element.replaceChildren(...content.flat(2).filter(child=>child!==void 0&&child!==false));
return element
}


export const button=(act,label,onclick,attributes)=>h("button",{"data-act":act,onclick,...attributes},label);


export const submit=(act,label,attributes)=>h("button.main",{type:"submit","data-act":act,...attributes},label);


export const facts=pairs=>pairs.filter(Boolean).map(([title,text])=>h("div",h("dt",title),h("dd",text)));


export function table(label,heads,rows){
const cell=content=>(Array.isArray(content)?h(`td.${content[0]}`,content.slice(1)):h("td",content));
const row=cells=>h("tr",cells.map(cell));
return h("div.scrolls",{tabindex:0,role:"group","aria-label":label},
h("table",h("thead",h("tr",heads.map(head=>h("th",{scope:"col"},head)))),h("tbody",rows.map(row))))
}

export const $=selector=>document.querySelector(selector);


export function setText(element,text){
if(element.textContent!==text)element.textContent=text
}




const UNSEEN=/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;


export function shown(text){
const box=h("bdi");
let from=0;
for(const{0:character,index}of text.matchAll(UNSEEN)){
const code=`U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
box.append(text.slice(from,index),h("span.unseen",{title:`the character ${code}`},code));
from=index+1
}
box.append(text.slice(from));
return box
}


export const codeAndWords=({code,message})=>[h("code",shown(code))," ",shown(message)];


export const clientCells=({connection,name,agent,via})=>[["number",connection],shown(joined(name,agent)||"–"),via];


export function shownName(name){
const place=name.lastIndexOf("/")+ 1;
return[h("span.parents",name.slice(0,place).split("/").flatMap((segment,at,all)=>
at===all.length-1?[]:[shown(segment),"/"])),shown(name.slice(place))]
}




export const joined=(...texts)=>texts.filter(Boolean).join(", ");

const whole=new Intl.NumberFormat("en",{useGrouping:true});


export const count=number=>whole.format(number).replaceAll(",","\u202f");

export const plural=(number,noun)=>`${count(number)} ${noun}${number === 1 ? "" : "s"}`;

export function bytes(number){
if(number<1024)return `${number} B`;
const unit=number<1024**2?1:number<1024**3?2:3;
return `${(number / 1024 ** unit).toFixed(1)} ${["", "KiB", "MiB", "GiB"][unit]}`
}

const UNITS=[[86_400,"d"],[3600,"h"],[60,"min"],[1,"s"]];


export function duration(milliseconds){
const seconds=Math.max(0,Math.floor(milliseconds/1000));
const[length,unit]=UNITS.find(([size])=>seconds>=size)??[1,"s"];
return `${Math.floor(seconds / length)} ${unit}`
}


export function dateAndTime(milliseconds){
const offset=new Date(milliseconds).getTimezoneOffset()*60_000;
return new Date(milliseconds-offset).toISOString().slice(0,23).replace("T"," ")
}

export const clock=milliseconds=>dateAndTime(milliseconds).slice(11);


export const rate=number=>(number>=10?count(Math.round(number)):String(Math.round(number*10)/ 10));

"""##,
        "page/drafts.js": ##"""


const PREFIX="draft ";
let storage;
try{
storage=sessionStorage
}catch{

}

export function keepDraft(draft){
storage.setItem(`${PREFIX}${draft.side} ${draft.edited}`,JSON.stringify(draft))
}


export function takeDrafts(principal){
return Object.entries(storage??{}).flatMap(([key,text])=>{
const draft=key.startsWith(PREFIX)?JSON.parse(text):void 0;
if(draft===void 0||![principal,"anonymous"].includes(draft.principal))return[];
storage.removeItem(key);
return[draft]
})
}

"""##,
        "page/editor.js": ##"""


import{$,button,h,put,setText,shown,submit}from "./dom.js";
import{wordsFor}from "./dialogs.js";
import{compact,faultOfJSON,kindOf,laidOut}from "./json.js";

const NUMBER=/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const[LINE,LINES]=[76,16];

const UNKNOWN=new Set(["outcome-unknown","timed-out","connection-lost"]);


const WAYS={
string:{label:"text",show:text=>JSON.parse(text),read:typed=>JSON.stringify(typed)},
number:{
label:"number",
fault:typed=>(NUMBER.test(typed.trim())?void 0:"This is no number as JSON writes it."),
read:typed=>typed.trim()
},
boolean:{label:"true or false",read:typed=>typed},
json:{label:"JSON",show:text=>laidOut(text).map(piece=>piece.text).join(""),fault:faultOfJSON,read:compact}
};

const DELETED="The channel was deleted meanwhile.";

const wayOf=text=>(text!==void 0&&kindOf(text)in WAYS?kindOf(text):"json");
const rowsFor=(text,least)=>Math.min(LINES,Math.max(least,text.split("\n").reduce((sum,line)=>sum+Math.ceil((line.length||1)/ LINE),0)));
const brief=text=>(text===void 0?"no value":text.length>600?`${text.slice(0, 600)}…`:text);








export function makeEditor(draft,{isOnline,connected,send,closed}){
let{side,base}=draft;
const note=h("p.hint",draft.typed!==void 0&&"Typed before you signed in, and not set yet.");
const fault=h("p.fault",{role:"alert"});
const meanwhile=h("div.meanwhile");
const buttons=h("div.buttons");
const element=h("form.editor",{"aria-label":`Edit the ${side}`,onsubmit:submitted,onkeydown:pressed});
let[kind,way,field,initial,withdraw,conflicts]=[void 0,void 0,void 0,void 0,void 0,0];



function choose(key,typed){
[kind,way]=[key,WAYS[key]];
const attributes={id:side==="value"?"edit":"edit-wish","aria-label":`The new ${side}`};
if(key==="boolean")field=h("select",attributes,h("option","true"),h("option","false"));
else if(key==="number")field=h("input",{...attributes,inputmode:"decimal"});
else field=h("textarea",{...attributes,rows:rowsFor(typed,key==="json"?3:1)});
field.value=key==="boolean"&&typed!=="true"?"false":typed;
initial??=kind+field.value;
const kinds=h("select.kinds",{"aria-label":"The kind of value",onchange:({target})=>change(target.value)},
Object.entries(WAYS).map(([value,{label}])=>h("option",{value,selected:value===key},label)));
put(element,note,field,fault,meanwhile,h("div.foot",kinds,buttons))
}

const shownBy=(key,text)=>(text===void 0?"":(WAYS[key].show??String)(text));


function change(key){
const{value}=field;
const isValid=way.fault?.(value)===void 0;
choose(key,isValid&&key==="json"?shownBy(key,way.read(value)):value);
setText(fault,"");
field.focus()
}

function pressed(event){
const isCommit=event.key==="Enter"&&(event.ctrlKey||event.metaKey)&&event.target===field;
if(isCommit)submitted(event);
if(event.key!=="Escape"||event.isComposing)return;
event.preventDefault();
event.stopPropagation();
cancel()
}

function cancel(){
withdraw?.();
closed()
}

const isChanged=()=>kind+field.value!==initial;



function offerSave(){
put(buttons,button("cancel","Cancel",cancel,{title:"Escape"}),submit("save","Set",{title:"Ctrl+Enter"}))
}

function submitted(event){
event.preventDefault();
if(withdraw!==void 0)return;

if(base.text!==void 0&&!isChanged())return closed();
commit(base.revision)
}


function commit(condition){
const problem=way.fault?.(field.value);

put(fault,problem,problem&&kind==="json"&&field.value.trim()&&[" ",button("as-text","Set as text",setAsText)]);
if(problem!==void 0)return;
put(meanwhile);
deliver(way.read(field.value),condition)
}

function setAsText(event){
change("string");
submitted(event)
}


async function deliver(text,condition){
let isWithdrawn=false;
const withdrawn=new Promise(resolve=>{
withdraw=()=>resolve((isWithdrawn=true))
});
field.disabled=true;
try{
for(let isRepeated=false;;isRepeated=true){
const words=h("span.waiting",{role:"status"},isOnline()?"Sending…":"Goes out when racd is back.");
put(buttons,words,!isOnline()&&button("withdraw","Withdraw",withdraw));
await Promise.race([connected(),withdrawn]);
if(isWithdrawn)return offerSave();
try{
await send(text,condition);
return closed(text)
}catch(error){
if(!UNKNOWN.has(error.code))return refused(error,text,isRepeated)
}
}
}finally{
withdraw=void 0;
field.disabled=false;

$(":focus")??field.focus()
}
}

function refused(error,mine,isRepeated){
if(error.code!=="conflict"){
offerSave();
return setText(fault,wordsFor(error))
}
base={text:error.current?.raw,revision:error.revision??0};

if(isRepeated&&base.text===mine)return closed(mine);
conflicts+=1;
showConflict(mine)
}


function showConflict(mine){
const isGone=base.revision===0;
const again=isGone?DELETED:conflicts>1?"It has changed again.":"It was changed meanwhile.";
put(meanwhile,h("div.conflict",{id:"conflict",role:"alert"},h("p",again),
h("dl",h("dt","Mine"),h("dd",{"data-side":"mine"},shown(brief(mine))),
!isGone&&[h("dt",`Theirs, revision ${base.revision}`),h("dd",{"data-side":"theirs"},shown(brief(base.text)))])));
const keep=condition=>()=>commit(condition);
put(buttons,
button("theirs",isGone?"Give it up":"Take theirs",()=>closed()),
conflicts>1&&button("force","Set whatever comes",keep(void 0),{class:"grave"}),
button("mine",isGone?"Make it again":"Keep mine",keep(base.revision),{class:"main"}))
}

choose(wayOf(base.text),shownBy(wayOf(base.text),base.text));
if(draft.typed!==void 0)choose(draft.kind,draft.typed);
offerSave();
return{
element,
get isChanged(){
return isChanged()
},

get draft(){
return{...draft,base,kind,typed:field.value}
},
focus(){
field.focus();
field.scrollTop=0;
field.setSelectionRange?.(0,field.value.length>LINE*LINES?0:field.value.length)
},

present(current,isGone){
if(conflicts>0||(current.revision===base.revision&&!isGone))return;
put(meanwhile,isGone?DELETED:["Changed meanwhile to ",h("code",shown(brief(current.text)))])
}
}
}

"""##,
        "page/ends.js": ##"""


import{ask,attempt,field,tell}from "./dialogs.js";
import{h}from "./dom.js";
import{faultOfJSON}from "./json.js";
import{raw}from "/rac.js";


const reaches=(name,bound)=>`Each program that is bound to ${name}${bound === undefined ? "" : `, ${bound} now,`} is notified`;
const CODE={name:"code",required:true,maxlength:64,value:"failed"};
const NAME={name:"name",required:true};

export async function complete(rac,name,{bound,failed}){
const answers=await ask({title:"Complete the channel?",text:`${reaches(name, bound)} that it is over.`,act:"Complete"});
if(answers!==void 0)await end(rac,name,{},"is completed",failed)
}

export async function fail(rac,name,{bound,failed}){
const fields=[field("Code",h("input.mono",CODE),"For programs, such as no-signal"),field("Message",h("input",{name:"message"}),"For people")];
const error=await ask({title:"Fail the channel?",text:`${reaches(name, bound)} this error.`,fields,act:"Fail",isGrave:true});
if(error!==void 0)await end(rac,name,{error},`has failed with ${error.code}`,failed)
}

function end(rac,name,how,words,failed){
return attempt(async()=>{
await rac.finish(name,how);
tell(`${name} ${words}.`,{undo:()=>reopen(rac,name),label:"Reopen"})
},failed)
}

export function reopen(rac,name,{failed}={}){
return attempt(async()=>{
await rac.reopen(name);
tell(`${name} is open again.`)
},failed)
}

export async function remove(rac,name,{bound,failed}){
const text=`${reaches(name, bound)} that it is over, and racd forgets its value.`;
if((await ask({title:"Delete the channel?",text,act:"Delete",isGrave:true}))===void 0)return;
await attempt(async()=>{
const former=await rac.get(name);
await rac.delete(name);
tell(`${name} is deleted.`,{undo:()=>restore(rac,name,former),label:"Set again"})
},failed)
}


function restore(rac,name,{mode,raw:value,rawWish:wish,state,error}){
return attempt(async()=>{
await rac.create(name,{mode,value:value&&raw(value)});
if(wish!==void 0)await rac.set(name,raw(wish));
if(state!=="open")await rac.finish(name,{error});
tell(`${name} is there again.`)
})
}


export async function create(rac,likely=""){
const modes=[h("option",{value:"shared"},"shared: one value for all"),h("option",{value:"paired"},"paired: what is, and what should be")];
const fields=[
field("Name",h("input.mono",{...NAME,value:likely}),"Segments with / between them"),
field("Value",h("textarea",{name:"value",rows:3}),"JSON; may be left out"),
field("Mode",h("select",{name:"mode"},modes))
];
const check=async({name,mode,value})=>{
const hasValue=value.trim()!=="";
const problem=hasValue?faultOfJSON(value):void 0;
if(problem===void 0)await rac.create(name,{mode,value:hasValue?raw(value):void 0});
return problem
};
return(await ask({title:"New channel",fields,act:"Create",check}))?.name
}

"""##,
        "page/history.js": ##"""


import{clock,h,shown,svg,table}from "./dom.js";


const KEPT=600;
const LISTED=12;

const BRIEF=160;


export const cut=(text,length)=>(text===void 0||text.length<=length?text:`${[...text.slice(0, length)].join("")}…`);


export class History{
changes=[];
#since=Date.now();


add({revision,at,by,text,wish,state}){
if(this.changes.at(-1)?.revision>=revision)return;
const number=text?.length<40?Number(text):NaN;
this.changes.push({revision,at,by,text:cut(text,BRIEF),wish:cut(wish,BRIEF),state,number});
if(this.changes.length>KEPT)this.changes.shift()
}


get numbers(){
return this.changes.filter(({number})=>Number.isFinite(number)).map(({at,number})=>({at:Math.max(at,this.#since),number}))
}
}


function short(number,span){
const size=Math.abs(number);
if(size!==0&&(size>=1e9||size<1e-3))return number.toExponential(2);
return String(Number(number.toFixed(Math.min(20,Math.max(3,1-Math.floor(Math.log10(span||1)))))))
}






export function sparkline(points,label,show=short){
const[width,height,inset]=[480,56,3];
const numbers=points.map(({number})=>number);
const[least,greatest]=[Math.min(...numbers),Math.max(...numbers)];
const[from,to]=[points[0].at,points.at(-1).at];
const x=at=>(to===from?width:((at-from)/(to-from))*width).toFixed(1);
const[low,high]=[least,greatest].map(number=>show(number,greatest-least));

const y=number=>(low===high?height/2:height-inset-((number-least)/(greatest-least))*(height-2*inset)).toFixed(1);
const steps=points.slice(1).map(({at,number})=>`H${x(at)}V${y(number)}`);
const words=`${label}: ${points.length} values between ${low} and ${high}, now ${show(numbers.at(-1), greatest - least)}`;
return h("figure.sparkline",
svg("svg",{viewBox:`0 0 ${width} ${height}`,preserveAspectRatio:"none",role:"img","aria-label":words},
svg("path",{d:`M${x(from)} ${y(numbers[0])}${steps.join("")}`,"vector-effect":"non-scaling-stroke"})),
h("figcaption",{"aria-hidden":"true"},h("span",high),low!==high&&h("span",low)))
}


export function changeTable({changes}){
const rows=changes.slice(-LISTED).reverse().map(({revision,at,by,text,wish,state})=>[
["number",revision],
["number",at&&clock(at)],
by&&shown(by),
["text",text===void 0?h("i","no value"):shown(text),wish&&[h("i"," wish "),shown(wish)],state!=="open"&&h("i",` ${state}`)]
]);
return table("Table of changes",["Revision","Time","Writer","Value"],rows)
}

"""##,
        "page/json.js": ##"""


const TOKEN=/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

const WIDTH=76;


export const compact=text=>text.match(TOKEN).join("");


export function kindOf(text){
const first=text.trimStart()[0];
return{'"':"string","{":"object","[":"array",t:"boolean",f:"boolean",n:"null"}[first]??"number"
}


export function membersOf(text){
const members=new Map();
let[depth,key,start]=[0,void 0,0];
for(const{0:token,index}of text.matchAll(TOKEN)){
const isClosing=token==="}"||token==="]";
if(depth===1&&(token===","||isClosing)&&key!==void 0){
members.set(key,text.slice(start,index).trim());
key=void 0
}else if(depth===1&&token===":"&&start<0){
start=index+1
}else if(depth===1&&key===void 0&&token[0]==='"'){
[key,start]=[JSON.parse(token),-1]
}
if(token==="{"||token==="[")depth+=1;
if(isClosing)depth-=1
}
return members
}






export function laidOut(text){
const pieces=[];
const put=(part,kind)=>pieces.push({text:part,kind});
const putKey=key=>{
if(key===void 0)return;
put(key,"key");
put(": ")
};
const write=(node,indent,used)=>{
if(node.items===void 0)return put(node.text,node.kind);
if(node.length+used<=WIDTH||node.items.length===0)return writeLine(node);
const inner=`${indent}  `;
put(`${node.open}\n`);
node.items.forEach(({key,value},at)=>{
put(inner);
putKey(key);
write(value,inner,inner.length+(key?.length??0)+ 2);
put(at<node.items.length-1?",\n":"\n")
});
put(indent+node.close)
};
const writeLine=node=>{
if(node.items===void 0)return put(node.text,node.kind);
put(node.open);
node.items.forEach(({key,value},at)=>{
if(at>0)put(", ");
putKey(key);
writeLine(value)
});
put(node.close)
};
write(tree(text.match(TOKEN)),"",0);
return pieces
}


function tree(tokens){
let at=0;
const read=()=>{
const text=tokens[at++];
if(text!=="{"&&text!=="[")return{text,length:text.length,kind:kindOf(text)};
const node={open:text,close:text==="{"?"}":"]",items:[],length:2};
while(tokens[at]!==node.close){
let key;
if(text==="{")[key,at]=[tokens[at],at+2];
const value=read();
node.items.push({key,value});
node.length+=value.length+(key===void 0?0:key.length+2)+ 2;
if(tokens[at]===",")at+=1
}
at+=1;
return node
};
return read()
}


export function faultOfJSON(text){
try{
JSON.parse(text);
return void 0
}catch(error){
return `This is no JSON: ${error.message}.`
}
}

"""##,
        "page/main.js": ##"""


import{connect}from "/rac.js";
import{Channels}from "./channels.js";
import{Commands,WORDS,makeCommandPanel,stateOf}from "./commands.js";
import{makeDetail}from "./detail.js";
import{explain,tell,wordsFor}from "./dialogs.js";
import{$,count,duration,h,plural,rate,setText}from "./dom.js";
import{create}from "./ends.js";
import{below,faultOf,matcher}from "./names.js";
import{makeOverview}from "./overview.js";
import{readSession,signIn,signOut}from "./session.js";
import{exportBranch,importFile}from "./transfer.js";
import{makeTree}from "./tree.js";


const TIMES=24;

const LIGHT=20_000;

const{closed:isClosed,principal}=await readSession();
setText($("#principal"),principal??"");
if(isClosed)setText($("#no-commands"),"There is no command that you may observe or execute.");
const act=name=>$(`[data-act=${name}]`);
act("sign-out").hidden=!isClosed||principal==="anonymous";
act("sign-in").hidden=principal!=="anonymous";



const STATES={connecting:"connecting",connected:"connected",lost:"not connected, trying again",closed:"disconnected"};
const rac=connect(void 0,{agent:"racd-page"});
const isConnected=()=>rac.connection.value.state==="connected";

rac.connection.subscribe(({state,server,error})=>{
$("#connection").dataset.state=state;
setText($("#connection"),`${STATES[state]}${state === "closed" ? `: ${wordsFor(error)}` : ""}`);
if(server!==void 0)setText($("#server"),`${server} ${location.host}`);
act("retry").hidden=state!=="lost";

if(state==="closed"&&error?.code==="unauthenticated")signInAgain("Your session is over.")
});


function signInAgain(reason){
signIn(reason).then(()=>location.reload());
detail.keep()
}

rac.problems.subscribe(error=>tell(wordsFor(error),{isFault:true}));



const pauseButton=$("#pause");
let isPaused=false;
const pausing={isPaused:()=>isPaused};

const channels=new Channels(rac,()=>{
tree.select(detail.name);
overview.draw()
});
const commands=new Commands(rac,{isSeen:()=>!document.hidden&&!$("#commands").hidden});
const tree=makeTree($("#tree"),{names:channels.names,cells:cellsOf,opened:name=>go("channels",name),drawn});
const commandTree=makeTree($("#command-tree"),{names:commands.names,cells:commandCellsOf,opened:name=>go("commands",name),drawn});
const detail=makeDetail(rac,channels,$("#detail"),{...pausing,principal});
const overview=makeOverview(rac,channels,$("#overview"),pausing);
const panel=makeCommandPanel(rac,commands,$("#command"));

function cellsOf(channel,name){
const{state,error,preview="",wish,revision,at}=channels.shown(channel);
const perSecond=channel.rate(performance.now());
const end={completed:"completed  ",failed:`${error?.code}  `}[state]??"";
return{
state,
value:`${detail.isEditing(name) ? "draft  " : ""}${end}${preview}${wish === undefined ? "" : `  ← ${wish}`}`,
age:perSecond>=1&&isConnected()?`${rate(perSecond)}/s`:at>0?duration(Date.now()- at):"",
mark:revision
}
}

function commandCellsOf(command){
const state=stateOf(command);
return{state,value:WORDS[state],age:command.name??command.agent,mark:state}
}


function drawn(){
const{names,problem,isSynced}=channels;
setText($("#channel-count"),count(channels.count));
setText($("#command-count"),count(commands.names.size));
setText($("#rate"),overview.changeRate===void 0?"":`${rate(overview.changeRate)} changes/s`);
const fault=problem&&wordsFor(problem);
setText($("#empty"),names.shownIn(names.root)>0||!isSynced?"":(fault??(names.isFiltered?"No name matches.":isClosed?"There is no channel that you may read.":"No channels yet: racctl set room/volume 7")));
$("#no-commands").hidden=!commands.isRead||commands.names.size>0;
if(filter.getAttribute("aria-invalid")==="true")return;
setText($("#filter-state"),names.isFiltered?`${plural(names.shownIn(names.root), "name")} of ${count(names.size)}`:"")
}

pauseButton.addEventListener("click",()=>{
isPaused=tree.isPaused=!isPaused;
channels.hold(isPaused,detail.state);
tree.refresh();
pauseButton.setAttribute("aria-pressed",isPaused);
setText(pauseButton,isPaused?"Paused":"Pause")
});


let isAsking=false;
setInterval(async()=>{
if(isAsking||isPaused||document.hidden||!isConnected())return;
let size=0;
const untimed=tree.seen.filter(({entry})=>entry!==void 0&&entry.at===void 0).slice(0,TIMES)
.filter(({entry},place)=>(size+=entry.size)<LIGHT||place===0);
isAsking=true;
await Promise.all(untimed.map(async({name,entry})=>{

const{at}=await rac.get(name).catch(({code})=>({at:["no-such-channel","forbidden"].includes(code)?0:void 0}));
entry.at??=at
}));
isAsking=false
},250);



const TABS={channels:$("#tab-channels"),commands:$("#tab-commands")};
const isOfChannels=()=>!$("#channels").hidden;
const focusTree=()=>$(isOfChannels()?"#tree":"#command-tree").focus();

function chooseTab(kind){
for(const[key,tab]of Object.entries(TABS)){
tab.setAttribute("aria-selected",key===kind);
tab.tabIndex=key===kind?0:-1;
$(`#${key}`).hidden=key!==kind
}
for(const name of["new","export","import"])act(name).hidden=kind!=="channels";
commands.read();
tree.refresh();
commandTree.refresh()
}

for(const[kind,tab]of Object.entries(TABS)){
tab.addEventListener("click",()=>chooseTab(kind));
tab.addEventListener("keydown",({key})=>{
if(key!=="ArrowLeft"&&key!=="ArrowRight")return;
const other=kind==="channels"?"commands":"channels";
chooseTab(other);
TABS[other].focus()
})
}

channels.subscribe(name=>name==="$sys/commands"&&commands.read());

function chooseNames(){
const text=filter.value.trim();
const fault=text.includes("*")?faultOf(text):void 0;
filter.setAttribute("aria-invalid",fault!==void 0);
setText($("#filter-state"),fault??"");
if(fault!==void 0)return;
for(const{names}of[channels,commands])names.filter(text===""?void 0:matcher(text));
tree.refresh();
commandTree.refresh()
}

const filter=$("#filter");
filter.addEventListener("input",chooseNames);
filter.addEventListener("keydown",event=>{
if(!["Escape","ArrowDown","Enter"].includes(event.key))return;
event.preventDefault();
if(event.key==="Escape"){
filter.value="";
chooseNames()
}
focusTree()
});



function go(kind,name){
location.hash=`#${kind}/${name.split("/").map(encodeURIComponent).join("/")}`
}


function place(){
const[,kind,path]=/^#(channels|commands)\/(.+)$/.exec(location.hash)??[];
try{
return{kind,name:path?.split("/").map(decodeURIComponent).join("/")}
}catch{
return{}
}
}

function route(){
const{kind,name}=place();
const[channel,command]=["channels","commands"].map(one=>(kind===one?name:void 0));
document.body.dataset.view=name===void 0&&location.hash!=="#overview"?"list":"stage";
$("#overview").hidden=name!==void 0;
$("#detail").hidden=channel===void 0;
$("#command").hidden=command===void 0;
detail.show(channel);
panel.show(command);
tree.select(channel);
commandTree.select(command);
if(name!==void 0&&$(`#${kind}`).hidden)chooseTab(kind);
overview.draw();
document.title=name===void 0?`racd ${location.host}` : `${name} – racd`
}

window.addEventListener("hashchange",()=>{
route();
$("#stage").scrollTop=0;
if(document.body.dataset.view==="list")focusTree();
else if(matchMedia("(max-width: 760px)").matches)$("#stage article:not([hidden]) h2").focus()
});
window.addEventListener("beforeunload",event=>detail.isEdited&&event.preventDefault());

const stop=channels.subscribe(name=>{
if(name!==detail.name)return;
stop();
tree.select(name)
});




const KEYS={
"/":["filter names",()=>filter.focus()],
t:["go to the names",focusTree],
e:["edit the value",()=>detail.name!==void 0&&detail.edit()],
n:["new channel",makeChannel],
p:["pause the display",()=>pauseButton.click()],
o:["overview",()=>(location.hash="#overview")],
"?":["this list",showKeys],
Escape:["back to the names",leave],
"↑ ↓ Home End":["move among the names"],
"→ ←":["open or close a branch"],
Enter:["show a channel"],
"Ctrl+Enter":["set the value that is typed"]
};

document.addEventListener("keydown",event=>{
const work=KEYS[event.key]?.[1];
if(work===void 0||event.ctrlKey||event.metaKey||event.altKey||(event.target.closest("input, textarea, select")??$("dialog")))return;
event.preventDefault();
work()
});

function leave(){
location.hash="";
focusTree()
}

function showKeys(){
explain("Keyboard",h("dl.keys",Object.entries(KEYS).flatMap(([key,[words]])=>[h("dt",key),h("dd",words)])))
}

async function makeChannel(){
const name=await create(rac,tree.active?.isBranch?`${tree.active.name}/`:"");
if(name!==void 0)go("channels",name)
}


function likelyPattern(){
if(tree.active?.isBranch)return below(tree.active.name);
return filter.value.includes("*")?filter.value.trim():(tree.active?.name??"**")
}

const ACTS={
new:makeChannel,
export:()=>exportBranch(rac,likelyPattern()),
import:()=>$("#import-file").click(),
keys:showKeys,
retry:()=>rac.wake(),
"sign-out":signOut,
"sign-in":()=>signInAgain("Sign in as somebody else than anonymous.")
};
for(const[name,work]of Object.entries(ACTS))act(name).addEventListener("click",work);
$("#import-file").addEventListener("change",async({target})=>{
if(target.files.length>0)await importFile(rac,target.files[0]);
target.value=""
});

route();

"""##,
        "page/names.js": ##"""



const SLICE=8;

const NONE=new Map();


class Node{
children=NONE;
#order;
#isInOrder=true;

count=0;

hits=0;
counted;
judged;

place=-1;

entry;

constructor(segment,parent){
this.segment=segment;
this.parent=parent;
this.depth=parent===void 0?-1:parent.depth+1;
this.name=this.depth<1?segment:`${parent.name}/${segment}`
}

get isBranch(){
return this.children.size>0
}

child(segment){
if(!this.isBranch)[this.children,this.#order,this.#isInOrder]=[new Map(),[],true];
const known=this.children.get(segment);
if(known!==void 0)return known;
const child=new Node(segment,this);
this.children.set(segment,child);

this.#isInOrder&&=!(this.#order.at(-1)?.segment>segment);
if(this.#isInOrder)this.#order.push(child);
return child
}

remove(child){
this.children.delete(child.segment);
this.#isInOrder=false
}

get inOrder(){
if(!this.#isInOrder)this.#order=[...this.children.values()].sort((one,other)=>(one.segment<other.segment?-1:1));
this.#isInOrder=true;
return this.#order??[]
}
}


export class Names{
root=new Node("",void 0);
#nodes=new Map();
#toggled=new Set();
#filter;
#filterToggled=new Set();
#opensBranches=false;

version=0;

get size(){
return this.#nodes.size
}

get(name){
return this.#nodes.get(name)
}

all(){
return this.#nodes.values()
}

add(name,entry){
let node=this.root;
for(const segment of name.split("/"))node=node.child(segment);
node.entry=entry;
this.#nodes.set(name,node);
for(let up=node;up!==void 0;up=up.parent)up.count+=1;
if(this.isFiltered)this.#judge(node);
this.version+=1
}

remove(name){
const node=this.#nodes.get(name);
if(node===void 0)return;
this.#nodes.delete(name);
node.entry=void 0;
const isHit=this.isFiltered&&node.judged===this.#filter&&this.#filter(name);
node.judged=void 0;
for(let up=node;up!==void 0;up=up.parent){
up.count-=1;
if(isHit)up.hits-=1;
if(up.count===0)up.parent?.remove(up)
}
this.version+=1
}



get isFiltered(){
return this.#filter!==void 0
}


shownIn(node){
if(!this.isFiltered)return node.count;
return node.counted===this.#filter?node.hits:0
}


async filter(matches){
this.#filter=matches;
this.#filterToggled.clear();
let until=performance.now()+ SLICE;
for(const node of this.isFiltered?this.all():[]){
this.#judge(node);
if(performance.now()<until)continue;
this.version+=1;
await pause();
if(this.#filter!==matches)return;
until=performance.now()+ SLICE
}
this.version+=1
}


#judge(node){
if(node.judged===this.#filter)return;
node.judged=this.#filter;
if(!this.#filter(node.name))return;
for(let up=node;up!==void 0;up=up.parent){
up.hits=this.shownIn(up)+ 1;
up.counted=this.#filter
}
}



get #exceptions(){
return this.isFiltered?this.#filterToggled:this.#toggled
}

isOpen({name}){
return(this.isFiltered||this.#opensBranches)!==this.#exceptions.has(name)
}

toggle(node,isOpen=!this.isOpen(node)){
if(isOpen===this.isOpen(node))return;
if(!this.#exceptions.delete(node.name))this.#exceptions.add(node.name);
this.version+=1
}


openBranches(){
this.#opensBranches=true;
this.#toggled.clear();
this.version+=1
}


reveal(node){
for(let up=node.parent;up.parent!==void 0;up=up.parent)this.toggle(up,true)
}


rows(){
const rows=[];
const visit=branch=>{
for(const node of branch.inOrder){
if(this.shownIn(node)===0)continue;
rows.push(node);
if(node.isBranch&&this.isOpen(node))visit(node)
}
};
visit(this.root);
return rows
}
}


const pause=()=>globalThis.scheduler?.yield?.()??new Promise(resolve=>setTimeout(resolve));




export const below=name=>[name,"**"].join("/");


export function faultOf(pattern){
const segments=pattern.split("/");
if(segments.some(segment=>segment.includes("*")&&segment!=="*"&&segment!=="**")){
return "A * stands for a whole segment: home/* or **/temp."
}
return segments.includes("")?"A pattern has no empty segments.":void 0
}


export function matcher(text){
if(!text.includes("*")){
const sought=text.toLowerCase();
return(name)=>name.toLowerCase().includes(sought)
}
const pattern=text.split("/");
return(name)=>matches(pattern,name.split("/"))
}


function matches(pattern,segments){
if(segments[0].startsWith("$")&&pattern[0].startsWith("*"))return false;
let[at,place,star,from]=[0,0,-1,0];
while(place<segments.length){
if(pattern[at]==="**"){
[star,from]=[at,place];
at+=1
}else if(at<pattern.length&&(pattern[at]==="*"||pattern[at]===segments[place])){
at+=1;
place+=1
}else if(star>=0){
from+=1;
[at,place]=[star+1,from]
}else{
return false
}
}
while(pattern[at]==="**")at+=1;
return at===pattern.length
}

"""##,
        "page/overview.js": ##"""


import{bytes,clientCells,count,dateAndTime,duration,h,joined,put,rate,setText,shown,table}from "./dom.js";
import{wordsFor}from "./dialogs.js";
import{sparkline}from "./history.js";


const SAMPLES=180;
const CONNECTIONS=3000;


const FIGURES={
changes:["Changes a second",rate,true],
channels:["Channels",count,true],
connections:["Connections",count,true],
bindings:["Bindings",count,true],
executions:["Executions now",count,true],
"memory/values":["Values",bytes,true],
commands:["Commands hosted",count],
transports:["Connections by transport",counts=>joined(...Object.entries(counts).map(([via,number])=>`${count(number)}\u00a0${via}`))],
storage:["Storage",text=>({ok:"on disk",memory:"in memory only"})[text]??text],
uptime:["Up for",seconds=>duration(seconds*1000)]
};

export function makeOverview(rac,channels,element,{isPaused}){
const connections=h("section",{id:"connections","aria-label":"Connections"});
const figures=Object.entries(FIGURES).map(([key,[title,show,hasChart]])=>{
const[number,chart]=[h("div.number","–"),h("div")];
return{key,title,show,hasChart,number,chart,points:[],box:h("div.figure",{"data-figure":key},h("div.count",title),number,chart)}
});
let[last,isDue]=[void 0,false];

const boxes=h("div.figures",figures.map(({box})=>box));
const hint=h("p.hint","The figures of racd stand below $sys, and you may not read them.");
put(element,h("header",h("h2",{tabindex:-1},"Overview")),hint,boxes,connections);


channels.subscribe((name,_,channel)=>{
if(name!=="$sys/uptime"||isDue||channel===void 0)return;
isDue=true;

setTimeout(take,50,channel.at!==void 0)
});
setInterval(readConnections,CONNECTIONS);
rac.connection.subscribe(()=>{

last=figures[0].value=void 0;
draw();
readConnections()
});

function take(isLive){
isDue=false;
if(rac.connection.value.state!=="connected")return;
const at=performance.now();
for(const figure of figures){
const text=channels.get(`$sys/${figure.key}`)?.preview;
if(text===void 0)continue;
if(figure.key==="changes"&&!isLive)continue;
figure.value=JSON.parse(text);
if(figure.key==="changes")countChanges(figure,at);
else if(isLive)figure.points.push({at,number:figure.value});
if(figure.points.length>SAMPLES)figure.points.shift()
}
if(!isPaused())draw()
}


function countChanges(figure,at){
const{value}=figure;
figure.value=last&&Math.max(0,((value-last.value)*1000)/(at-last.at));
if(last!==void 0)figure.points.push({at,number:figure.value});
last={at,value}
}

function draw(){
const isDenied=channels.isOwnSynced&&channels.get("$sys/uptime")===void 0;
[hint.hidden,boxes.hidden]=[!isDenied,isDenied];
if(document.hidden||element.hidden)return;
for(const{key,title,show,hasChart,number,chart,points,box,value}of figures){
setText(number,value===void 0?"–":show(value));
if(key==="storage")box.dataset.kind=value?.startsWith("failing")?"fault":"";
if(hasChart&&points.length>1)put(chart,sparkline(points,title,show))
}
}

async function readConnections(){
if(element.hidden||document.hidden||isPaused()||rac.connection.value.state!=="connected")return;
const title=words=>h("h3","Connections",h("small",words));
try{
const{who,more}=await rac.who({limit:200});
const hasPrincipals=who.some(({principal})=>principal!==void 0);
const rows=who.map(one=>[
...clientCells(one),
shown(joined(one.peer,one.pid&&`process ${one.pid}`)),
...(hasPrincipals?[shown(one.principal??"")]:[]),
["number",one.since&&dateAndTime(one.since).slice(0,19)],
["number",count(one.bound)]
]);
const heads=["Number","Client","Via","From",...(hasPrincipals?["Principal"]:[]),"Since","Bindings"];
put(connections,title(more?`the first ${who.length}`:who.length),table("Table of connections",heads,rows))
}catch(error){
put(connections,title(),h("p.hint",wordsFor(error)))
}
}

return{
draw(){
draw();
readConnections()
},

get changeRate(){
return figures[0].value
}
}
}

"""##,
        "page/session.js": ##"""


import{field}from "./dialogs.js";
import{$,h,setText,submit}from "./dom.js";

const PATH="/v1/session";


export async function readSession(){
const problem=await signInByAddress();
const answer=await fetch(PATH,{cache:"no-store"}).then(response=>response.json()).catch(()=>({}));
if(!answer.closed||answer.admitted)return answer;
await signIn(problem);
return readSession()
}


const CODE=/^#sign-in=([\w-]+)\/?(.*)$/;


async function signInByAddress(){
const[,code,place]=CODE.exec(location.hash)??[];
if(code===void 0)return;
history.replaceState(null,"",place===""?location.pathname:`#${place}`);
return send({code})
}


window.addEventListener("hashchange",()=>CODE.test(location.hash)&&location.reload());


export function signIn(reason="This racd is closed: it wants a token."){
return new Promise(resolve=>{
const fault=h("p.fault",{role:"alert"});
const token=h("input",{type:"password",name:"token",required:true,autocomplete:"current-password",id:"token"});
const button=submit("confirm","Sign in");
const onsubmit=async(event)=>{
event.preventDefault();
button.disabled=true;
const problem=await send({token:token.value});
button.disabled=false;
setText(fault,problem??"");
if(problem!==void 0)return token.select();
form.remove();
document.body.classList.remove("signing-in");
resolve()
};
const form=h("form.sign-in",{id:"sign-in",onsubmit},
h("h2","Sign in"),h("p",reason),field("Token",token,"racd token create makes one"),fault,h("div.buttons",button));
$("#sign-in")?.remove();
document.body.classList.add("signing-in");
document.body.append(form);
token.focus()
})
}


async function send(proof){
try{
const answer=await fetch(PATH,{method:"POST",headers:{"Content-Type":"application/json"},body:JSON.stringify(proof)});
if(answer.ok)return;
const{detail}=await answer.json().catch(()=>({}));
return `Refused: ${detail ?? `racd answers ${answer.status}`}.`
}catch{
return "racd cannot be reached."
}
}

export async function signOut(){
await fetch(PATH,{method:"DELETE"}).catch(()=>{});
location.reload()
}

"""##,
        "page/style.css": ##"""
:root{
color-scheme:light dark;
--ground:#fff;--raised:#f6f7f8;--line:#dfe3e6;--text:#1b1f23;--quiet:#5b646d;
--accent:#0a62b5;--tint:#e8f1fb;--flash:#ffe9a8;--fault:#b3261e;--slow:#8a5a00;
--string:#0b6b4b;--number:#0a4fa0;--literal:#7a3e9d;
--edge:1px solid var(--line);
--fixed:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;
--mono:12px/1.5 var(--fixed);
--row:24px;
font:13px/1.45 system-ui,sans-serif
}
@media (prefers-color-scheme:dark){
:root{
--ground:#16191d;--raised:#1d2126;--line:#30363d;--text:#dfe3e8;--quiet:#98a2ad;
--accent:#6cb4ff;--tint:#1c3048;--flash:#42350b;--fault:#ff8a80;--slow:#e3b341;
--string:#7fd0a8;--number:#8ab8f5;--literal:#cfa3ea
}
}
*{box-sizing:border-box;}
[hidden]{display:none !important;}
main{display:contents;}
body{background:var(--ground);color:var(--text);display:grid;grid:auto 1fr / minmax(22rem,42%) 1fr;height:100dvh;margin:0;overflow:hidden;}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px;}
a{color:var(--accent);text-underline-offset:2px;}
h2,h3,p,dl,dd,figure,pre{margin:0;}
button,input,select,textarea{background:var(--ground);border:var(--edge);border-radius:4px;color:inherit;font:inherit;padding:3px 8px;}
code,pre,textarea,.mono,.tree,td,#filter,.editor > :is(input,select),#connection,#server,.facts dd{font:var(--mono);font-variant-numeric:tabular-nums;}
button{cursor:pointer;padding:2px 9px;white-space:nowrap;}
button:hover{border-color:var(--quiet);}
button:disabled{cursor:default;opacity:.6;}
button[aria-pressed="true"],.main{background:var(--accent);border-color:var(--accent);color:var(--ground);}
.grave,.state[data-state="failed"]{border-color:var(--fault);color:var(--fault);}
textarea{display:block;resize:vertical;width:100%;}
progress{accent-color:var(--accent);height:6px;width:100%;}


.bar{align-items:baseline;background:var(--raised);border-bottom:var(--edge);display:flex;flex-wrap:wrap;gap:2px 14px;grid-column:1 / -1;padding:7px 14px;}
h1{font-size:14px;margin:0;}
h1 a{color:inherit;text-decoration:none;}
nav{display:flex;gap:14px;margin-left:auto;}
.bar button{padding:0 7px;}
#server,#principal,#connection,.count,#rate,small,.age,dt,th,td.number,.hint,.waiting,.kinds,#filter-state,.empty,.titles,.parents{color:var(--quiet);}
#connection::before{border:1.5px solid;border-radius:50%;content:"";display:inline-block;height:8px;margin-right:6px;width:8px;}
#connection[data-state="connected"]::before{background:var(--accent);border-color:var(--accent);}
#connection:is([data-state="lost"],[data-state="closed"]){color:var(--fault);font-weight:600;}


#browse{border-right:var(--edge);display:flex;flex-direction:column;min-height:0;min-width:0;}
.tools{border-bottom:var(--edge);display:grid;gap:6px;padding:8px 10px;}
.tabs{display:flex;gap:16px;}
.tabs button{background:none;border:0;border-bottom:2px solid transparent;border-radius:0;padding:0 0 2px;}
.tabs [aria-selected="true"]{border-color:var(--accent);font-weight:600;}
.count,#rate,small,.age{font-variant-numeric:tabular-nums;font-weight:400;}
[aria-invalid="true"]{border-color:var(--fault);}
.list{display:flex;flex:1;flex-direction:column;min-height:0;position:relative;}
.tree{contain:strict;flex:1;outline-offset:-2px;overflow:auto;}
.titles{background:var(--ground);border-bottom:var(--edge);font:11px/22px system-ui,sans-serif;position:sticky;top:0;z-index:1;}
.titles > div,.row{display:grid;gap:10px;grid-template-columns:minmax(9rem,46%) 1fr 5.5rem;padding:0 10px;}
#command-tree :is(.titles > div,.row){grid-template-columns:minmax(9rem,46%) 6.5rem 1fr;}
.titles span:last-child,.row .age{text-align:right;}
.rows{position:relative;}
.row{contain:strict;height:var(--row);inset:0 0 auto;line-height:var(--row);position:absolute;}
.row > span{overflow:hidden;text-overflow:ellipsis;white-space:pre;}
.row:hover,.tree:focus-visible .active{background:var(--raised);}
.tree:focus .active,.row[aria-selected="true"]{box-shadow:inset 2px 0 var(--accent);}
.row[aria-selected="true"]{background:var(--tint);}
.row .name{padding-left:min(var(--depth) * 14px,50%);}
.row .count{font-size:11px;margin-left:7px;}
.twisty{color:var(--quiet);display:inline-block;text-align:center;width:16px;}
[aria-expanded="false"] .twisty::before{content:"▸";}
[aria-expanded="true"] .twisty::before{content:"▾";}
.row:is([data-state="completed"],[data-state="gone"]) .value{color:var(--quiet);}
.row[data-state="executing"] .value{color:var(--accent);}
.flash{animation:flash .7s;}
@keyframes flash{from{background:var(--flash);}}
@media (prefers-reduced-motion:reduce){.flash{animation-timing-function:steps(1,end);}}
.unseen{border:var(--edge);border-radius:3px;color:var(--fault);font-size:9px;margin:0 1px;padding:0 2px;}
.empty{inset:30px 0 auto;padding:10px 14px;position:absolute;}
.foot{align-items:center;border-top:var(--edge);display:flex;gap:6px;padding:6px 10px;}
#rate{flex:1;}


#stage{overflow:auto;padding:14px 20px 60px;}
.back{display:none;}
article > header,.head{align-items:baseline;display:flex;flex-wrap:wrap;gap:6px 12px;margin-bottom:6px;}
h2{font:600 16px/1.4 system-ui,sans-serif;outline:none;overflow-wrap:anywhere;}
:is(#detail,#command) h2{font-family:var(--fixed);}
.parents{font-weight:400;}
h3{font-size:13px;}
small{font-size:12px;margin-left:8px;}
article section{margin-top:16px;}
.buttons{display:flex;flex-wrap:wrap;gap:6px;justify-content:flex-end;margin-left:auto;}
.state{border:var(--edge);border-radius:9px;color:var(--quiet);font-size:11px;padding:0 8px;}
.state:is([data-state="executing"],[data-state="enabled"]){border-color:var(--accent);color:var(--accent);}
:is(.state,.error,.fault,.hint,.meanwhile,#filter-state,#notice,#empty,.head code):empty{display:none;}
.facts{display:flex;flex-wrap:wrap;gap:4px 22px;}
.facts div{align-items:baseline;display:flex;gap:6px;}
.error,.fault,.row[data-state="failed"] .value{color:var(--fault);}
.fault button{color:var(--text);}
.error{background:var(--raised);border-left:3px solid;margin:0 0 8px;padding:5px 10px;}
.hint{font-size:12px;margin-top:4px;}
.content{background:var(--raised);border:var(--edge);border-radius:4px;max-height:42vh;overflow:auto;overflow-wrap:anywhere;padding:6px 10px;white-space:pre-wrap;}
.piece{contain-intrinsic-height:auto 900px;content-visibility:auto;display:block;}
.json-string{color:var(--string);}
.json-number{color:var(--number);}
.json-boolean,.json-null{color:var(--literal);}
.editor{border:1px solid var(--accent);border-radius:4px;display:grid;gap:6px;margin-top:6px;padding:8px;}
.editor .foot,.kinds{border:0;padding:0;}
.meanwhile{overflow-wrap:anywhere;}
.conflict dl,.keys{display:grid;gap:3px 14px;grid-template-columns:auto 1fr;margin-top:4px;}
.conflict dd{color:var(--text);max-height:9rem;overflow:auto;}
.plain{list-style:none;margin:6px 0 0;padding:0;}
.execution,label,.run{display:grid;gap:6px;}
.execution{margin-top:14px;}
.run{border-top:var(--edge);padding:8px 0;}
.run .content{max-height:11rem;}


.sparkline{display:grid;gap:8px;grid-template-columns:1fr auto;margin:6px 0;}
svg{border-bottom:var(--edge);display:block;height:56px;width:100%;}
path{fill:none;stroke:var(--accent);stroke-width:1.5;}
figcaption{color:var(--quiet);display:flex;flex-direction:column;font:var(--mono);font-size:11px;justify-content:space-between;line-height:1;text-align:right;}
.scrolls{overflow-x:auto;}
table{border-collapse:collapse;margin-top:4px;min-width:100%;}
th{font-size:11px;font-weight:400;text-align:left;}
th,td{border-bottom:var(--edge);padding:2px 14px 2px 0;white-space:nowrap;}
td.text{max-width:30rem;overflow:hidden;text-overflow:ellipsis;width:100%;}
.meanwhile,.slow{color:var(--slow);}
.figures{display:grid;gap:10px;grid-template-columns:repeat(auto-fill,minmax(13.5rem,1fr));}
.figure{border:var(--edge);border-radius:4px;padding:8px 12px;}
.figure .number{font:var(--mono);font-size:19px;overflow-wrap:anywhere;}
.figure[data-kind="fault"] .number{color:var(--fault);font-size:13px;}
.figure svg{height:34px;}


#notice{align-items:baseline;background:var(--text);border-radius:5px;bottom:16px;box-shadow:0 3px 14px #0004;color:var(--ground);display:flex;gap:12px;max-width:min(40rem,92vw);overflow-wrap:anywhere;padding:7px 12px;position:fixed;right:20px;}
#notice[data-kind="fault"]{background:var(--fault);}
#notice button{background:none;border-color:currentColor;color:inherit;padding:0 8px;}
.passing{animation:passing 12s;}
#notice:is(:hover,:focus-within) .passing{animation-play-state:paused;}
@keyframes passing{to{opacity:.99;}}
dialog{background:var(--ground);border:var(--edge);border-radius:6px;box-shadow:0 8px 40px #0005;color:inherit;max-width:30rem;overflow-wrap:anywhere;padding:18px 20px;width:92vw;}
dialog::backdrop{background:#0006;}
dialog form,.sign-in{display:grid;gap:12px;margin-top:10px;}
label{gap:3px;}
label small{margin:0;}
.sign-in{align-content:start;grid-column:1 / -1;margin:12vh auto;width:min(24rem,90vw);}
.signing-in :is(#browse,#stage,nav,#connection){display:none;}
.keys dt{color:var(--text);font:var(--mono);}


@media (max-width:760px){
:root{--row:38px;font-size:14px;}
body{grid-template-columns:1fr;}
[data-view="list"] #stage,[data-view="stage"] #browse{display:none;}
#browse{border:0;}
.back{display:inline-block;padding:0 8px 10px 0;text-decoration:none;}
#stage{padding:10px 12px 70px;}
input,select,textarea,#filter,.editor > input{font-size:16px;}
button{min-height:32px;}
.bar button{min-height:0;}
#rate{visibility:hidden;width:0;}
.titles > div,.row{grid-template-columns:52% 1fr 3.6rem;gap:8px;}
}

"""##,
        "page/transfer.js": ##"""


import{ask,busy,field,tell,wordsFor}from "./dialogs.js";
import{h,plural}from "./dom.js";
import{membersOf}from "./json.js";
import{faultOf}from "./names.js";
import{raw}from "/rac.js";


const AT_ONCE=32;


async function forEach(elements,progress,work){
const results=[];
let[next,done]=[0,0];
const worker=async()=>{
while(next<elements.length&&!progress.isCancelled){
const place=next++;
results[place]=await work(elements[place]);
progress.show(++done,elements.length)
}
};
try{
await Promise.all(Array.from({length:AT_ONCE},worker))
}finally{
next=elements.length
}
return results
}


async function doLong(title,whenFailed,work){
const progress=busy(title);
try{
return await work(progress)
}catch(error){
tell(`${whenFailed()} ${wordsFor(error)}`,{isFault:true});
return void 0
}finally{
progress.close()
}
}


const standing=(rac,name)=>rac.get(name).catch(error=>{
if(error.code!=="no-such-channel")throw error
});




export async function exportBranch(rac,likely){
const input=h("input.mono",{name:"pattern",required:true,value:likely});
const fields=[field("Pattern",input,"The file is what racctl import reads")];
const answers=await ask({title:"Export channels",fields,act:"Export",check:({pattern})=>faultOf(pattern)});
if(answers===void 0)return;
await doLong("Exporting",()=>"Nothing was exported.",async(progress)=>{
const lines=await linesOf(rac,answers.pattern,progress);
if(progress.isCancelled)return;
save(lines,answers.pattern);
tell(`${plural(lines.length, "channel")} exported.`)
})
}

async function linesOf(rac,pattern,progress){
const names=[];
for(let more=true;more&&!progress.isCancelled;){
const page=await rac.list({pattern,after:names.at(-1)});
names.push(...page.channels.map(({channel})=>channel));
more=page.more&&page.channels.length>0
}
const lines=await forEach(names,progress,async(name)=>lineOf(await standing(rac,name)));
return lines.filter(line=>line!==void 0)
}

function lineOf(channel){
if(channel===void 0)return void 0;
const{name,mode,state,error,raw:value,rawWish:wish}=channel;

const member=(key,text)=>(text===void 0?"":`,"${key}":${text.replace(/[\r\n]/g, " ")}`);
return `${JSON.stringify({ channel: name, mode, state, error }).slice(0, -1)}${member("value", value)}${member("wish", wish)}}\n`
}

function save(lines,pattern){
const url=URL.createObjectURL(new Blob(lines,{type:"application/x-ndjson"}));
const name=pattern.match(/[\p{L}\p{N}._-]+/gu)?.join("-")??"channels";
h("a",{href:url,download:`${name}.jsonl`}).click();
setTimeout(()=>URL.revokeObjectURL(url),60_000)
}




export async function importFile(rac,file){
const plan=await doLong("Comparing",()=>"Nothing was imported.",async(progress)=>{
const wanted=wantedBy(await file.text());
const present=await forEach(wanted,progress,({channel})=>standing(rac,channel));
if(progress.isCancelled)return void 0;
return wanted.map((line,index)=>({line,isNew:present[index]===void 0,steps:stepsTo(line,present[index])}))
});
if(plan===void 0)return;
const items=plan.filter(({steps})=>steps.length>0);
const created=items.filter(({isNew})=>isNew).length;
const text=`${plural(created, "channel")} made, ${items.length - created} changed, ${plan.length - items.length} left alone.`;
if(items.length===0)return tell(`Nothing to import: ${text}`);
if((await ask({title:"Import channels?",text,act:"Import"}))===void 0)return;
let done=0;
const made=()=>`${done} of ${plural(items.length, "change")} made.`;
await doLong("Importing",made,async(progress)=>{
await forEach(items,progress,async({line,steps})=>{
for(const step of steps)await step(rac).catch(error=>fail(line,error.message));
done+=1
});
tell(made())
})
}

function fail({number,channel},words){
throw new Error(`Line ${number}${channel === undefined ? "" : `, ${channel}`}: ${words}.`)
}


function wantedBy(text){
const wanted=new Map();
text.split("\n").forEach((line,index)=>{
if(line.trim()==="")return;
const number=index+1;
let fields;
try{
fields=JSON.parse(line)
}catch(error){
fail({number},error.message)
}
const{channel,mode="shared",state="open",error}=fields??{};
const members=typeof channel==="string"?membersOf(line):new Map();
const read={number,channel,mode,state,error,value:members.get("value"),wish:members.get("wish")};
const fault=faultOfLine(read,wanted);
if(fault!==void 0)fail(read,fault);
wanted.set(channel,read)
});
return[...wanted.values()]
}

function faultOfLine({channel,mode,state,error,wish},wanted){
if(typeof channel!=="string")return "it names no channel";
if(channel.startsWith("$"))return "that is the daemon's own";
if(wanted.has(channel))return `line ${wanted.get(channel).number} names it, too`;
if(!["shared","paired"].includes(mode))return "the mode is neither shared nor paired";
if(!["open","completed","failed"].includes(state))return "the state is neither open nor completed nor failed";
if(state==="failed"&&typeof error?.code!=="string")return "it has failed without an error";
return wish!==void 0&&mode!=="paired"?"only a paired channel has a wish":void 0
}


function stepsTo(line,present){
const{channel,mode,state,error,value,wish}=line;
const sync=true;
const set=(text,role)=>rac=>rac.set(channel,raw(text),{role,sync});
const end=rac=>rac.finish(channel,{error:state==="failed"?error:void 0,sync});
if(present!==void 0&&present.mode!==mode)fail(line,`it is ${present.mode} here, and ${mode} in the file`);
const make=rac=>rac.create(channel,{mode,value:value&&raw(value),sync});
const sets=[
present!==void 0&&value!==void 0&&value!==present.raw&&set(value,"leading"),
wish!==void 0&&wish!==present?.rawWish&&set(wish,"following")
].filter(Boolean);
const isSame=state===present?.state&&JSON.stringify(error)===JSON.stringify(present.error);
if(isSame&&sets.length===0)return[];
const begin=present===void 0?make:present.state!=="open"&&(rac=>rac.reopen(channel,{sync}));
return[begin,...sets,state!=="open"&&end].filter(Boolean)
}

"""##,
        "page/tree.js": ##"""


import{count,h,put,setText,shown}from "./dom.js";


const REDRAW=100;


function makeRow(id){
const[twisty,segment,counted]=[h("span.twisty",{"aria-hidden":"true"}),h("span"),h("span.count")];
const[value,age]=[h("span.value",{role:"gridcell"}),h("span.age",{role:"gridcell"})];
const element=h("div.row",{role:"row",id},h("span.name",{role:"gridcell"},twisty,segment,counted),value,age);
element.addEventListener("animationend",()=>element.classList.remove("flash"));
const drawn={};
let node;


const set=(key,to,write)=>{
if(drawn[key]===to&&key in drawn)return;
drawn[key]=to;
write(to)
};

return{
element,
show(shownNode,{index,top,number,isOpen,isActive,isSelected,cells}){
const isFresh=node!==shownNode;
node=shownNode;
if(isFresh){
element.dataset.name=node.name;
element.classList.remove("flash");
put(segment,shown(node.segment));
element.style.setProperty("--depth",node.depth);
element.setAttribute("aria-level",node.depth+1)
}
set("top",top,()=>(element.style.transform=`translateY(${top}px)`));
set("index",index,()=>element.setAttribute("aria-rowindex",index+2));
set("open",isOpen,()=>(isOpen===void 0?element.removeAttribute("aria-expanded"):element.setAttribute("aria-expanded",isOpen)));
set("active",isActive,()=>element.classList.toggle("active",isActive));
set("selected",isSelected,()=>element.setAttribute("aria-selected",isSelected));
set("state",cells.state??"",state=>(element.dataset.state=state));
set("value",cells.value??"",text=>put(value,shown(text)));
setText(counted,number===void 0?"":count(number));
setText(age,cells.age??"");
if(!isFresh&&drawn.mark!==cells.mark)element.classList.add("flash");
drawn.mark=cells.mark
}
}
}







export function makeTree(element,{names,cells,opened,drawn}){
const canvas=element.querySelector(".rows");
const used=new Map();
const free=[];
let rows=[];
let version=-1;
let height;
let active;
let selected;
let isAsked=false;

let isSought=false;
let flattenedAt=0;
let flattenTime=0;

const placeOf=node=>(node!==void 0&&rows[node.place]===node?node.place:void 0);



function ask(){
if(isAsked)return;
isAsked=true;
requestAnimationFrame(()=>{
isAsked=false;
draw()
})
}

function flatten(){
if(version===names.version)return;
const now=performance.now();
version=names.version;
rows=names.rows();
rows.forEach((node,place)=>(node.place=place));
flattenedAt=performance.now();
flattenTime=flattenedAt-now
}

function draw(){

if(performance.now()- flattenedAt>flattenTime*10)flatten();
canvas.style.height=`${rows.length * height}px`;

if(isSought&&version===names.version&&element.clientHeight>0&&placeOf(active)!==void 0){
isSought=false;
scrollTo(active.place)
}
const{scrollTop,clientHeight}=element;
const first=Math.max(0,Math.floor(scrollTop/height)- 4);
const last=Math.min(rows.length,Math.ceil((scrollTop+clientHeight)/ height)+ 4);
element.setAttribute("aria-rowcount",rows.length+1);
const wanted=new Set(rows.slice(first,last));

if(placeOf(active)!==void 0)wanted.add(active);
for(const[node,row]of used){
if(wanted.has(node))continue;
used.delete(node);
free.push(row);
row.element.hidden=true
}

for(const node of[...wanted].reverse())drawRow(node);
const row=used.get(active);
if(row===void 0)element.removeAttribute("aria-activedescendant");
else element.setAttribute("aria-activedescendant",row.element.id);
drawn()
}

function drawRow(node){
const{entry,isBranch,place}=node;
const row=used.get(node)??free.pop()??makeRow(`${element.id}-${canvas.childElementCount}`);
if(!used.has(node))canvas.insertBefore(row.element,used.get(rows[place+1])?.element??null);
row.element.hidden=false;
used.set(node,row);
row.show(node,{
index:place,
top:place*height,
number:isBranch?names.shownIn(node):void 0,
isOpen:isBranch?names.isOpen(node):void 0,
isActive:node===active,
isSelected:entry!==void 0&&node.name===selected,
cells:entry===void 0?{}:cells(entry,node.name)
})
}



function activate(place){
if(rows.length===0)return;
const index=Math.max(0,Math.min(rows.length-1,place));
active=rows[index];
scrollTo(index);
ask()
}

function scrollTo(index){
const[top,head]=[index*height,canvas.offsetTop];
const{scrollTop,clientHeight}=element;
if(top<scrollTop)element.scrollTop=top;
else if(top+height+head>scrollTop+clientHeight)element.scrollTop=top+height+head-clientHeight
}

function toggle(node){
names.toggle(node);
flatten();
ask()
}

function open(node){
if(node?.entry!==void 0)opened(node.name);
else if(node!==void 0)toggle(node)
}

function goIn(place){
if(!active?.isBranch)return;
if(names.isOpen(active))activate(place+1);
else toggle(active)
}

function goOut(){
if(active?.isBranch&&names.isOpen(active))toggle(active);
else if(active?.depth>0)activate(placeOf(active.parent))
}

element.addEventListener("keydown",event=>{
if(event.ctrlKey||event.metaKey||event.altKey)return;
const place=placeOf(active)??-1;
const page=Math.max(1,Math.floor(element.clientHeight/height)- 2);
const steps={ArrowDown:1,ArrowUp:-1,PageDown:page,PageUp:-page,Home:-Infinity,End:Infinity};
const acts={ArrowRight:()=>goIn(place),ArrowLeft:goOut,Enter:()=>open(active)," ":()=>open(active)};
const act=event.key in steps?()=>activate(place+steps[event.key]):acts[event.key];
if(act===void 0)return;
event.preventDefault();
act()
});
element.addEventListener("click",({target})=>{
const node=[...used].find(([,row])=>row.element===target.closest(".row"))?.[0];
if(node===void 0)return;
active=node;
if(target.closest(".twisty")!==null&&node.isBranch)toggle(node);
else open(node);
ask()
});
element.addEventListener("scroll",ask);

element.addEventListener("focus",()=>{active??=rows[0];ask();});

const tree={
isPaused:false,
get active(){
return active
},

get seen(){
return[...used.keys()]
},

refresh(){
height=parseFloat(getComputedStyle(element).getPropertyValue("--row"));
ask()
},

select(name){
selected=name;
const node=name===void 0?void 0:names.get(name);
if(node!==void 0){
if(!names.isFiltered)names.reveal(node);
active=node;
isSought=true
}
ask()
}
};
tree.refresh();
new ResizeObserver(tree.refresh).observe(element);

setInterval(()=>!tree.isPaused&&!document.hidden&&element.offsetParent!==null&&ask(),REDRAW);
return tree
}

"""##,
        "rac.js": ##"""












import{Command}from "./rac/commands.js";
import{Engine}from "./rac/engine.js";
import{Hosting}from "./rac/hosting.js";
import{Cell}from "./rac/cells.js";
import{Link}from "./rac/links.js";
import{PairedTerminal,Property}from "./rac/terminals.js";
import{encode,textOf}from "./rac/values.js";
import{ChannelState,Watch}from "./rac/watches.js";
import{webSocket}from "./rac/websocket.js";

export{RacError}from "./rac/errors.js";
export{bindInput}from "./rac/fields.js";
export{raw}from "./rac/values.js";








export function connect(url,options={}){
const{transport=webSocket}=options;
return new Rac(new Engine(transport.address?.(url)??url,{...options,transport}))
}


class Rac{
#engine;

constructor(engine){
this.#engine=engine;

this.connection=engine.connection;

this.problems=engine.problems
}




property(name,options){
return new Property(this.#engine,name,options)
}


paired(name,role,options){
return new PairedTerminal(this.#engine,name,{...options,role})
}


watch(pattern,listener,options){
return new Watch(this.#engine,pattern,listener,options)
}


link(left,right,maps){
return new Link(this.#engine,left,right,maps)
}




async get(channel){
return new ChannelState(channel,await this.#ask({op:"get",channel},{},true))
}


async set(channel,value,{if:condition,role,sync}={}){
const fields={op:"set",channel,role,if:condition,sync};
const reply=await this.#ask(fields,{value:textOf(value).raw},condition!==void 0);
return reply.fields.rev
}


async put(entries,{sync}={}){
const texts=entries.map(({channel,value,if:condition})=>
encode({channel,if:condition},{value:value===void 0?void 0:textOf(value).raw}),
);
const isRepeatable=entries.every(entry=>entry.if!==void 0);
const reply=await this.#ask({op:"put",sync},{set:`[${texts.join()}]`},isRepeatable);
return reply.fields.revs
}


async create(channel,{mode,value,sync}={}){
const texts={value:value===void 0?void 0:textOf(value).raw};
return(await this.#ask({op:"create",channel,mode,sync},texts)).fields.rev
}


async finish(channel,{error,sync}={}){
return(await this.#ask({op:"finish",channel,error,sync})).fields.rev
}


async reopen(channel,{sync}={}){
return(await this.#ask({op:"reopen",channel,sync})).fields.rev
}


async delete(channel,{sync}={}){
return(await this.#ask({op:"delete",channel,sync})).fields.rev
}


async list({pattern,after,limit}={}){
const{channels,more}=(await this.#ask({op:"list",pattern,after,limit},{},true)).fields;
return{channels,more}
}


async who({channel,after,limit}={}){
const{who,more}=(await this.#ask({op:"who",channel,after,limit},{},true)).fields;
return{who,more}
}




command(name){
return Command.named(this.#engine,name)
}


host(name,work,options){
return new Hosting(this.#engine,Cell.make(false,this.#engine.problem),name,work,options)
}


async commands({pattern,after,limit}={}){
const{commands,more}=(await this.#ask({op:"commands",pattern,after,limit},{},true)).fields;
return{commands,more}
}


async forget(command){
await this.#ask({op:"forget",command})
}




wake(){
this.#engine.wake()
}


close(){
return this.#engine.close()
}

#ask(fields,texts={},isRepeatable=false){
return new Promise((resolve,reject)=>{
this.#engine.request(fields,texts,isRepeatable,(error,reply)=>(error===void 0?resolve(reply):reject(error)))
})
}
}

"""##,
        "rac.d.ts": ##"""
/** A client of racd in JavaScript, for browsers, Node and Deno. README.md shows it, protocol.md has the semantics. */

/** A value that JSON can have. */
export type JSONValue = null | boolean | number | string | readonly JSONValue[] | { readonly [key: string]: JSONValue };

/** A JSON text as it was written, with its value: numbers keep their text. */
export interface JSONText {
  readonly raw: string;
  readonly value: JSONValue;
  equals(other: JSONText | undefined): boolean;
  /** The value, for `JSON.stringify`. */
  toJSON(): JSONValue;
}

/** A value that a program may send: of JSON, as a text by `raw`, an integer of any length, or what `JSON.stringify` takes. */
export type Sendable = JSONValue | JSONText | bigint | object;

/** Takes a JSON text for a value: `property.value = raw("1.50")`. Another text is a `SyntaxError`. */
export function raw(text: string): JSONText;

/** Ends a subscription or a binding, and nothing else. */
export type Undo = () => void;

/** A call that did not succeed, or the error with which a channel or an execution ended. */
export class RacError extends Error {
  constructor(code: string, message: string, more?: { data?: JSONValue });
  /** For programs: a code of the daemon, of a program, or one of the client's own. */
  readonly code: string;
  /** More about it from its sender. */
  readonly data?: JSONValue;
  /** The revision of the value that the channel has, where that stood against the call. */
  readonly revision?: number;
  /** That value. */
  readonly current?: JSONText;
  /** The entry of a `put` that was refused, counted from 0. */
  readonly index?: number;
  /** Whether the change was made all the same: code `storage`, if only the disk has not taken it yet. */
  readonly isApplied?: true;
}

/** A current value that changes. */
export interface Cell<Value> {
  readonly value: Value;
  /** Calls a subscriber with the current value and with each other one. */
  subscribe(subscriber: (value: Value) => void): Undo;
}

// MARK: Connecting

/** The bytes' way to a daemon: messages of the protocol without their headers. */
export type Transport = ((
  url: string,
  events: {
    /** The way stands. */
    opened(): void;
    /** A message came. */
    message(text: string): void;
    /** The way has ended, or did not come about. It is called once. */
    closed(reason?: string): void;
  },
) => {
  send(text: string): void;
  /** Sends what waits, then ends. */
  close(): void;
  /** Bytes that wait for the network. */
  readonly waiting: number;
}) & {
  /** The address to open for one that the program names, or for none; throws if it is no address. */
  address?(url?: string): string;
};

export interface Options {
  /** The token for a closed daemon, without the white space around it. A function is asked for the first one, and for another one than a refused one. */
  token?: string | ((refused?: string) => string | undefined | Promise<string | undefined>);
  /** The program's name in the daemon's logs, such as `kiosk/2.1`. */
  agent?: string;
  /** The client's name for itself, such as `hall`. */
  name?: string;
  /** Milliseconds for the daemon's answer to a request, reconnections included: 10 000 if left out. */
  replyTimeout?: number;
  /** By default a WebSocket; `tcp` of `rac-client/tcp` speaks to a daemon's own port. */
  transport?: Transport;
}

/**
 * Connects to a daemon, and again whenever the connection is lost.
 *
 * @param url Such as `wss://lab:7220/rac`; by default the daemon of this page, else `ws://127.0.0.1:7220/rac`.
 */
export function connect(url?: string, options?: Options): Rac;

export interface ConnectionState {
  readonly state: "connecting" | "connected" | "lost" | "closed";
  /** The daemon, while it is connected. */
  readonly server?: string;
  /** Why the connection was lost, or no other one will come. */
  readonly error?: Error;
}

/** A client: everything that a program does with its daemon. */
export interface Rac {
  readonly connection: Cell<ConnectionState>;
  /** Errors that no call takes, such as a refused assignment or bind. Without a subscriber the console has them. */
  readonly problems: { subscribe(listener: (error: Error) => void): Undo };

  /** A shared channel as a property. Two objects of one channel get each other's values. */
  property<Value = any>(name: string, options?: PropertyOptions): Property<Value>;
  /** One side of a paired channel: `leading` is the device, `following` are the people. */
  paired<Received = any, Sent = any>(name: string, role: Role, options?: BindOptions): PairedTerminal<Received, Sent>;
  /**
   * Watches each channel that matches a pattern.
   *
   * Without `keep` only the listener has the states, and `channels` stays empty: for many channels, or large values. Such a
   * watch is the program's only one of its pattern.
   */
  watch(pattern: string, listener: WatchListener, options?: { keep?: boolean }): Watch;
  /** Binds two shared channels to each other, with a map of values for each direction if they differ. */
  link(left: string, right: string, maps?: { forward(value: any): Sendable; backward(value: any): Sendable }): Link;

  get(channel: string): Promise<ChannelState>;
  /** Returns the revision of the change. `if` names the revision that the value must have, 0 for none. */
  set(channel: string, value: Sendable, options?: { if?: number; role?: Role; sync?: boolean }): Promise<number>;
  /** Sets several channels, all or none. An entry without a value only compares. Returns the revisions. */
  put(entries: readonly { channel: string; value?: Sendable; if?: number }[], options?: Sync): Promise<number[]>;
  create(channel: string, options?: { mode?: Mode; value?: Sendable } & Sync): Promise<number>;
  finish(channel: string, options?: { error?: WireError } & Sync): Promise<number>;
  reopen(channel: string, options?: Sync): Promise<number>;
  delete(channel: string, options?: Sync): Promise<number>;
  list(page?: Page): Promise<{ channels: ListedChannel[]; more: boolean }>;
  who(page?: { channel?: string; after?: number; limit?: number }): Promise<{ who: ConnectedClient[]; more: boolean }>;

  command<Input = any, Step = any>(name: string): Command<Input, Step>;
  /** Hosts a command. The work is a function, whose result is the one value, or a generator of values. */
  host<Input = any>(
    name: string,
    work: (input: Input, context: { signal: AbortSignal; raw?: string }) => AsyncIterable<Sendable> | Promise<unknown> | unknown,
    options?: { concurrent?: boolean; enabled?: boolean },
  ): Hosting;
  commands(page?: Page): Promise<{ commands: object[]; more: boolean }>;
  /** Makes a command that nobody hosts one that was never hosted. */
  forget(command: string): Promise<void>;

  /** Connects at once, or asks whether the connection still stands. A page does that when its tab is shown again. */
  wake(): void;
  /** Gives open work a second, says goodbye, and ends every object of this client. No will is applied. */
  close(): Promise<void>;
}

export type Role = "leading" | "following";
export type Mode = "shared" | "paired";

/** `sync` waits for the disk. */
export interface Sync {
  sync?: boolean;
}

export interface WireError {
  code: string;
  message?: string;
  data?: JSONValue;
}

/** A page of a list; `pattern` is `**` if left out. */
export interface Page {
  pattern?: string;
  after?: string;
  limit?: number;
}

/** A connection of the daemon, with its bindings; or one of its bindings to the channel that `who` named. */
export interface ConnectedClient {
  connection: number;
  name?: string;
  agent?: string;
  /** Address and port of the other end, or `unix`. */
  peer?: string;
  /** The transport: `tcp`, `tls`, `unix`, `websocket` or `http`; later daemons may have other ones. */
  via?: string;
  pid?: number;
  uid?: number;
  principal?: string;
  since?: number;
  bound?: number;
  role?: Role;
  conflate?: boolean;
  interval?: number;
  slow?: boolean;
}

export interface ListedChannel {
  channel: string;
  rev: number;
  state: "open" | "completed" | "failed";
  mode: Mode;
  bound: number;
  changes: number;
  slow?: number;
  by?: string;
}

// MARK: Channels

/** The options of the first object of a channel hold for all. They go out again with each new connection. */
export interface BindOptions {
  /** The value of a channel that never had one. */
  default?: Sendable;
  /** Milliseconds: at most one value, the newest, in each such time. */
  interval?: number;
  /** Whether the newest value is enough where this program is slow: yes for properties if left out. */
  conflate?: boolean;
  /** The change of the channel when this program is lost. */
  will?: { value: Sendable } | { error: WireError } | { completed: true };
  /** Whether a leading side gets the wish of before: no if left out. */
  replay?: boolean;
}

export interface PropertyOptions extends BindOptions {
  /** The side that the property is bound to: `following` if left out. A model leads, where rights differ. */
  role?: Role;
}

export interface Change {
  /** The value's JSON text. */
  readonly raw: string;
  /** Its revision; 0 for a value of this program without an answer yet. */
  readonly revision: number;
}

/** How a terminal ended: by the channel's end, or because the daemon refused it (`refused`). */
export interface End {
  readonly op: "completed" | "error" | "refused";
  readonly error?: RacError;
  readonly revision?: number;
  readonly deleted?: boolean;
}

export interface Observer<Value> {
  next?(value: Value, change: Change): void;
  complete?(end: End): void;
  /** The channel has failed, or the daemon refuses the bind. Without it, and without `ready()`, `problems` has a refused bind. */
  error?(error: RacError): void;
  /** An assignment was refused; `next` has the channel's value. */
  refused?(error: RacError): void;
  /** Values of a paired channel were lost, because this program was slow. */
  missed?(error: RacError): void;
}

interface Terminal<Received, Sent> {
  readonly name: string;
  /** Whether the channel is bound now. */
  readonly live: Cell<boolean>;
  /** The value with its JSON text; undefined before the first one. */
  readonly text: JSONText | undefined;
  readonly raw: string | undefined;
  /** The revision of the value, for `if`; 0 while the daemon has not acknowledged it. */
  readonly revision: number;
  readonly end: End | undefined;
  /** Resolves when the daemon has reported the channel's state; rejects if it refuses the bind. */
  ready(): Promise<void>;
  /** Calls a subscriber with the current value, then with each one that did not come through this object. */
  subscribe(subscriber: ((value: Received, change: Change) => void) | Observer<Received>): Undo;
  /** Sends a value. A refusal reaches `refused` of the subscribers, or `problems` of the client. */
  send(value: Sent): void;
  /** Sends a value. Returns its revision, or that of a later one that was acknowledged with it. */
  set(value: Sent, options?: { if?: number; sync?: boolean }): Promise<number>;
  /**
   * Waits until every write until now has its answer.
   *
   * It rejects if a write that had no answer is refused, or if an assignment was refused at once, as behind an end.
   */
  settled(): Promise<void>;
  /** Completes the channel for everybody. */
  complete(options?: Sync): Promise<number>;
  /** Ends the channel with an error for everybody. */
  fail(error: WireError, options?: Sync): Promise<number>;
  /** Another object on the same binding; it and this one get each other's values. */
  another(): this;
  /** Leaves the channel as it is. Earlier sends are still delivered; subscribers hear nothing more. */
  unbind(): void;
}

/** One value for all programs that share it. */
export interface Property<Value = any> extends Terminal<Value, Sendable> {
  /** The current value. Setting it shows it at once here, then there; setting undefined is a `TypeError`. */
  get value(): Value | undefined;
  set value(value: Value | Sendable | undefined);
}

/** One side of a paired channel. */
export interface PairedTerminal<Received = any, Sent = any> extends Terminal<Received, Sent> {
  /** The newest value of the other side. */
  readonly value: Received | undefined;
}

/**
 * Binds a field to a property: what is typed goes out at once, and what others send is shown.
 *
 * Values of others wait while somebody types. Checkboxes have booleans, fields for numbers and ranges numbers, others strings. A number
 * field that is empty, or has a number beyond those of JavaScript, sends nothing.
 */
export function bindInput(
  field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  property: Property,
  options?: { refused?: (error: RacError) => void },
): Undo;

export interface Link {
  /** Resolves with the end of the channels, or a refusal; undefined if the link was undone. */
  readonly ended: Promise<End | undefined>;
  unlink(): void;
}

export interface ChannelState {
  readonly name: string;
  /** Of `get` the revision of the value, for `if`. Of a watch that of the newest change, which may be an end or a reopening. */
  readonly revision: number;
  readonly state: "open" | "completed" | "failed" | "deleted";
  readonly value: any;
  readonly raw: string | undefined;
  readonly wish: any;
  readonly rawWish: string | undefined;
  readonly wishRevision?: number;
  /** Set by `get` only. */
  readonly mode?: Mode;
  readonly cause?: number;
  readonly error?: WireError;
  /** Milliseconds since 1970, by the daemon's clock. Set by `get` only. */
  readonly at?: number;
  /** The principal that made the newest change, in a closed daemon. */
  readonly by?: string;
}

export interface WatchListener {
  /** A channel is there, has changed, or is deleted. */
  changed?(channel: ChannelState): void;
  /** Every present channel has been reported. */
  synced?(): void;
  error?(error: RacError): void;
}

export interface Watch {
  readonly channels: ReadonlyMap<string, ChannelState>;
  readonly isSynced: boolean;
  stop(): void;
}

// MARK: Commands

export interface Command<Input = any, Step = any> {
  readonly name: string;
  /** Whether the command may be executed now; not known, and so false, while nobody subscribes. */
  readonly enabled: Cell<boolean>;
  readonly executing: Cell<boolean>;
  /** The errors with which executions of all callers end. */
  readonly failures: { subscribe(listener: (error: RacError) => void): Undo };
  execute(input?: Input): Execution<Step>;
  /** Makes a click execute the command. The button is disabled while the command may not be executed. */
  bindButton(
    button: HTMLButtonElement,
    options?: { input?: Input | (() => Input); step?: (value: Step, execution: Execution<Step>) => void; failed?: (error: Error) => void },
  ): Undo;
}

/**
 * One run of a command. Leaving the loop over it early cancels it.
 *
 * 10 000 values wait for a loop. Behind more the loop ends with `slow-consumer`, which cancels the run.
 */
export interface Execution<Step = any> extends AsyncIterableIterator<Step> {
  /** The JSON text of the value that the loop has now, with its numbers as they were written. */
  readonly raw: string | undefined;
  /** The last value, when the run has completed; rejects with its error. */
  readonly result: Promise<Step | undefined>;
  /** Asks the host to give up; the end shows how that came out. */
  cancel(): void;
}

/**
 * A command that this program hosts, over connections.
 *
 * While another program hosts it, this one asks for the place each second. `already-hosted` is reported once, in `rac.problems`.
 */
export interface Hosting {
  readonly name: string;
  /** Whether the daemon knows this program as the host now. */
  readonly live: Cell<boolean>;
  /** The host's own condition: whether it allows executions now. */
  enabled: boolean;
  /** Resolves at the end: with the error, if the daemon does not take this program as the host, or not any longer. */
  readonly ended: Promise<Error | undefined>;
  unhost(): void;
}

"""##,
        "rac/agreement.js": ##"""



const UNDER_WAY=64;

const WAITING=1024;
const NONE=Object.freeze({text:void 0,revision:0,cause:void 0});
const NOTHING=Object.freeze({text:void 0,revision:0,root:0,isOwn:false,isStray:false});



















export class Agreement{
#mode;
#state="unbound";

#epoch;
#bindingEpoch;

#numbering={epoch:void 0,terminal:void 0,last:0};
#shown=NOTHING;
#told=NONE;
#own=0;

#sent;

#kept;
#sends=[];
#newestWrite=0;

#reported;
#isAsking=false;
#keptEnd;


constructor(mode){
this.#mode=mode
}






adopt(numbering){
this.#numbering={...numbering}
}


get state(){
return this.#state
}


get numbering(){
return{...this.#numbering}
}


get shown(){
return this.#shown
}


get isReported(){
return this.#reported!==void 0
}


get isSettled(){
return this.#sends.length===0&&!this.#isAsking
}


get newestWrite(){
return this.#newestWrite
}


isAnswered(write){
return!this.#isAsking&&!this.#sends.some(send=>send.first!==0&&send.first<=write)
}








write(text,{condition,cause,sync}={}){
if(this.#isOver)return{refusal:"terminated",orders:[]};
if(this.#isShared&&cause!==void 0&&this.#beganLaterThan(cause))return{refusal:"late",orders:[]};
const last=this.#sends.at(-1);
const overwrites=this.#isShared&&condition===void 0&&cause===void 0&&isFree(last)&&!last.number;
if(!overwrites&&this.#sends.length>=WAITING)return{refusal:"limit",orders:[]};
if(this.#isShared)this.#shown=shownOwn(text,cause);
const send=this.#add({op:"next",text,condition,cause,sync});
if(overwrites)this.#merge(this.#sends.length-2);
return{write:send.last,orders:this.#pump([])}
}


finish(error,{sync}={}){
if(this.#isOver)return{refusal:"terminated",orders:[]};
const send=this.#add({op:error===void 0?"completed":"error",error,sync});
return{write:send.last,orders:this.#pump([])}
}


leave(){
const orders=this.#state==="bound"?[{order:"unbind",terminal:this.#numbering.terminal}]:[];
this.#state="ended";
return orders
}


close(error){
if(this.#state==="ended")return this.#failAll(error,[]);
this.#state="ended";
return[...this.#failAll(error,[]),{order:"end",how:{op:"refused",error}}]
}




arrived(text,revision,cause){
if(this.#state!=="bound")return[];
if(!this.#isShared)return this.#showPaired({text,revision,cause},[]);
if(revision<this.#own)return[];
this.#told={text,revision,cause};
return this.#isOpen?[]:this.#showTold([],{evenIfEqual:true})
}


acknowledged(number,revision,text,cause){
const goneOut=this.#sends.filter(send=>send.number!==0&&send.fault===void 0);
const answers=send=>goneOut.includes(send)&&(text?send.number===number:send.number<=number);
const done=this.#sends.filter(answers);
const last=done.at(-1);
if(last===void 0)return[];
this.#sends=this.#sends.filter(send=>!answers(send));
const orders=[];
for(const{first,last}of done)if(first!==0)orders.push({order:"applied",first,last,revision});
if(last.op==="next"){
this.#own=revision;
if(!this.#isShared)this.#sent=text??last.text;
if(text&&this.#isShared&&revision>this.#told.revision)this.#told={text,revision,cause};
this.#noteAnswer();
this.#settle(orders)
}
return this.#pump(orders)
}






tooLong(number,error){
const send=this.#sends.find(send=>send.number===number);
if(send!==void 0)send.fault=error;
return this.#pump([])
}


refused(number,error,{revision,text,cause}={}){
const send=this.#sends.find(send=>send.number!==0&&send.number===number);
if(send===void 0)return[];
if(error.code==="not-bound"){
send.transmissions-=1;
const isOver=this.#keptEnd!==void 0||this.#state==="ended";
if(send.transmissions>0||!isOver)return[];
error=terminated();
revision=void 0
}
this.#sends=this.#sends.filter(other=>other!==send);
const orders=this.#fail(send,error,[]);
if(send.op!=="next")return this.#pump(orders);
if(!this.#isShared){
if(revision!==void 0)[this.#own,this.#sent]=[revision,void 0];
return this.#pump(orders)
}
if(revision!==void 0&&text&&revision>this.#told.revision)this.#told={text,revision,cause};
if(revision===void 0&&!this.#hasValues&&!this.#isAsking){
this.#isAsking=true;
orders.push({order:"get"})
}
return this.#pump(this.#settle(orders))
}


got(text,revision=0,cause){
if(!this.#isAsking)return[];
this.#isAsking=false;
if(text&&revision>this.#told.revision)this.#told={text,revision,cause};
return this.#pump(this.#settle([]))
}


ended(how){
if(this.#state==="ended")return[];
if(how.revision===void 0){
this.#state="unbound";
const orders=this.#isShared?[]:[{order:"missed",error:how.error}];
return[...orders,{order:"bind"}]
}
if(!this.#isOpen)return this.#end(how,[]);
this.#keptEnd=how;
return[]
}




lost(){
if(this.#state==="ended")return this.#failAll(void 0,[]);
this.#state="unbound";
for(const send of this.#sends)send.transmissions=0;
if(this.#keptEnd===void 0)return[];
return this.#failAll(void 0,this.#end(this.#keptEnd,[]))
}






bind(epoch,initial){
this.#kept=initial&&this.#isShared&&epoch!==this.#epoch&&this.isSettled&&this.#shown.text;
const since=this.isReported?this.#since:void 0;
if(epoch!==this.#numbering.epoch)this.#forgetNumbers(epoch);
this.#state="binding";
this.#bindingEpoch=epoch;
return{since,was:this.#numbering.terminal,initial:this.#kept?void 0:initial}
}


bindRefused(error){
if(this.#state!=="binding")return[];
return this.close(error)
}







bound(reply){
if(reply.mode!==this.#mode)return this.#wrongMode(reply);
const isFirst=this.#epoch===void 0;
const isOtherEpoch=this.#bindingEpoch!==this.#epoch;
this.#epoch=this.#bindingEpoch;
this.#goOnCounting(reply);
const own=this.#isShared?this.#acknowledgedText||(!reply.revision&&this.#kept):this.#sent;
const orders=this.#take(reply);
const end=this.#sends.find(send=>send.op!=="next"&&send.number!==0);
if(end!==void 0&&reply.number>=end.number)return this.#endedBefore(end,reply,orders);
if(isOtherEpoch&&!isFirst)this.#restoreLost(own,reply);
if(!this.#isShared)this.#own=reply.sent??0;
else if(isOtherEpoch)this.#own=reply.revision;
this.#state="bound";
if(this.#isShared)this.#leaveOutOverwritten(reply.number);
for(const send of this.#sends)if(send.number!==0)this.#transmit(send,orders);
this.#pump(orders);
return this.#isShared&&!this.#isOpen?this.#showTold(orders):orders
}



get #isShared(){
return this.#mode==="shared"
}

get #hasValues(){
return this.#sends.some(send=>send.op==="next")
}


get #isOpen(){
return this.#isShared&&(this.#hasValues||this.#isAsking)
}


get #isOver(){
const hasEnd=this.#sends.some(send=>send.op!=="next");
return this.#state==="ended"||this.#keptEnd!==void 0||hasEnd
}


get #since(){
if(!this.#isShared)return this.#reported;
if(this.#isAsking)return 0;
return this.#isOpen?this.#told.revision:Math.max(this.#told.revision,this.#own)
}


#beganLaterThan(cause){
const{text,root,isStray}=this.#shown;
return text!==void 0&&!isStray&&(root===0||root>=cause)
}

#add(send){
this.#newestWrite+=1;
const added={...send,first:this.#newestWrite,last:this.#newestWrite,number:0,transmissions:0};
this.#sends.push(added);
return added
}


#merge(place){
const[older]=this.#sends.splice(place,1);
const newer=this.#sends[place];
newer.first=older.first===0?newer.first:older.first;
newer.sync||=older.sync
}


#leaveOutOverwritten(lastApplied){
for(let place=this.#sends.length-2;place>=0;place-=1){
const[older,newer]=[this.#sends[place],this.#sends[place+1]];
const isAbove=older.number===0||older.number>lastApplied;
if(isAbove&&isFree(older)&&isFree(newer)&&newer.cause===void 0)this.#merge(place)
}
}


#pump(orders){
if(this.#state!=="bound")return orders;
const[first]=this.#sends;
if(first?.fault!==void 0)return[...orders,...this.refused(first.number,first.fault)];
for(const[place,send]of this.#sends.entries()){
if(send.number!==0)continue;
if(place>=UNDER_WAY||(send.op!=="next"&&(place>0||this.#isAsking)))break;
this.#numbering.last+=1;
send.number=this.#numbering.last;
this.#transmit(send,orders)
}
return orders
}

#transmit(send,orders){
send.transmissions+=1;
send.fault=void 0;
const{op,number,condition,cause,sync,error,text}=send;
const fields={op,t:this.#numbering.terminal,n:number,if:condition,cause,sync:sync||void 0,error};
orders.push({order:"send",fields,text})
}


#showTold(orders,{evenIfEqual=false}={}){
const{text,revision,cause}=this.#told;
const isShown=revision===this.#shown.revision&&!this.#shown.isOwn;
if(revision===0||revision<this.#own||isShown)return orders;
const root=cause??revision;
const shows=evenIfEqual||!text.equals(this.#shown.text);
this.#shown={text,revision,root,isOwn:false,isStray:false};
orders.push(shows?{order:"show",text,revision,root}:{order:"stands",revision,root});
return orders
}

#showPaired({text,revision,cause},orders){
const root=cause??revision;
this.#reported=revision;
this.#shown={text,revision,root,isOwn:false,isStray:false};
orders.push({order:"show",text,revision,root});
return orders
}


#settle(orders){
if(!this.#isShared||this.#isOpen)return orders;
const count=orders.length;
this.#showTold(orders);
if(orders.length===count&&this.#shown.isOwn){
const{revision,root}=this.#shown;
if(revision===0)this.#shown.isStray=true;
else orders.push({order:"stands",revision,root})
}
return this.#keptEnd===void 0?orders:this.#end(this.#keptEnd,orders)
}


#noteAnswer(){
if(!this.#isShared||this.#hasValues)return;
this.#shown={...this.#shown,revision:this.#own,root:this.#shown.root||this.#own}
}

#end(how,orders){
this.#keptEnd=void 0;
this.#state="ended";
for(const send of this.#sends)if(send.number===0)this.#fail(send,terminated(),orders);
this.#sends=this.#sends.filter(send=>send.number!==0);
orders.push({order:"end",how});
return orders
}

#fail({first,last},error,orders){
if(first!==0)orders.push({order:"failed",first,last,error});
return orders
}


#failAll(error,orders){
for(const send of this.#sends)this.#fail(send,error??unknown(),orders);
this.#sends=[];
this.#isAsking=false;
return orders
}



#forgetNumbers(epoch){
this.#numbering={epoch,terminal:void 0,last:0};
for(const send of this.#sends)send.number=0
}

#goOnCounting({terminal,was,number}){
const known=this.#numbering.terminal;
if(known!==void 0&&terminal!==known&&was!==known)this.#forgetNumbers(this.#epoch);
this.#numbering.terminal=terminal;
this.#numbering.last=Math.max(this.#numbering.last,number)
}


#take({text,revision,cause}){
this.#isAsking=false;
this.#reported=revision;
if(text!==void 0&&!this.#isShared)return this.#showPaired({text,revision,cause},[]);
if(text!==void 0)this.#told={text,revision,cause};
if(revision!==0)return[];
this.#told=NONE;
this.#shown=this.#isShared?{...this.#shown,revision:0,isStray:!this.#hasValues}:NOTHING;
return[]
}


#endedBefore(end,reply,orders){
this.#sends=[];
this.#state="ended";
orders.push({order:"applied",first:end.first,last:end.last,revision:reply.revision});
orders.push({order:"end",how:{op:end.op,error:end.error,isOwn:true}});
if(reply.state==="open")orders.push({order:"unbind",terminal:reply.terminal});
return orders
}


#restoreLost(text,reply){
const condition=this.#isShared?reply.revision:(reply.sent??0);
if(!text||this.#sends.length>0||(condition&&condition>=this.#own))return;
const send=this.#add({op:"next",text,condition});
send.first=send.last=0;
if(this.#isShared)this.#shown=shownOwn(text)
}


get #acknowledgedText(){
const{text,revision,isOwn}=this.#shown;
return isOwn&&revision>0?text:void 0
}

#wrongMode({terminal,mode,state}){
const error={
code:"wrong-mode",
message:`the channel is ${mode}, and this program takes it for ${this.#mode}`
};
const orders=state==="open"?[{order:"unbind",terminal}]:[];
return[...orders,...this.close(error)]
}
}


function shownOwn(text,cause=0){
return{text,revision:0,root:cause,isOwn:true,isStray:false}
}


function isFree(send){
return send!==void 0&&send.op==="next"&&send.condition===void 0
}

const terminated=()=>({code:"terminated",message:"the channel has ended: reopen it first"});
const unknown=()=>({
code:"outcome-unknown",
message:"the connection was lost before the answer came: this may have happened or not"
});

"""##,
        "rac/binding.js": ##"""


import{Agreement}from "./agreement.js";
import{RacError,asError}from "./errors.js";
import{encode,textOf}from "./values.js";






export class Binding{
#engine;
#key;
#channel;
#mode;
#machine;
#views=new Set();
#orders=[];
#isObeying=false;
#isLive=false;

#writers=new Map();
#settling=new Set();
#end;
#successor;


static of(engine,channel,mode,options={}){
const role=options.role??"following";
if(role!=="leading"&&role!=="following")throw new TypeError(`a role is leading or following, not ${role}`);
const key=`${role} ${channel}`;
const known=engine.bindings.get(key)?.newest;
if(known!==void 0&&known.#end===void 0)return known.#join(mode,options);
const binding=new Binding(engine,key,channel,mode,{...options,role});
if(known!==void 0)known.#successor=binding;
else binding.#start();
return binding
}

constructor(engine,key,channel,mode,options){
this.#engine=engine;
this.#key=key;
this.#channel=channel;
this.#mode=mode;
this.#machine=new Agreement(mode);
this.options=options;
this.message=bindMessage(channel,mode,options)
}


get newest(){
return this.#successor===void 0?this:this.#successor.newest
}

#join(mode,options){
const wishes=JSON.stringify(bindMessage(this.#channel,mode,{...options,role:this.options.role}));
const isPlain=Object.keys(options).every(key=>key==="role");
if(mode!==this.#mode||(!isPlain&&wishes!==JSON.stringify(this.message))){
throw new RacError("already-bound",`this program has bound ${this.#channel} with other options`)
}
return this
}

#start(){
const numbering=this.#engine.takeNumbering(this.#key);
if(numbering!==void 0)this.#machine.adopt(numbering);
this.#engine.bindings.set(this.#key,this);
this.#engine.add(this)
}



add(view){
this.#views.add(view);
view.live(this.#isLive);
if(this.#machine.isReported)view.reported();
if(this.#end!==void 0)view.ended(this.#end)
}

remove(view){
if(this.#views.delete(view))this.#leaveIfUnused()
}


get shown(){
return this.#machine.shown
}







write(text,options,view,writer){
const{write,refusal,orders}=this.#machine.write(text,options);
if(refusal==="late")return false;
this.#check(refusal);
if(writer!==void 0)this.#writers.set(write,writer);
const isShared=this.#mode==="shared";
this.#obey(isShared?[{order:"share",text,root:options?.cause,view},...orders]:orders);
return true
}


finish(error,options,writer){
const{write,refusal,orders}=this.#machine.finish(error,options);
this.#check(refusal);
if(writer!==void 0)this.#writers.set(write,writer);
this.#obey(orders)
}

#check(refusal){
if(refusal==="terminated")throw this.#failure;
if(refusal==="limit")throw new RacError("limit",`too many writes to ${this.#channel} wait for racd`)
}


get #failure(){
const isRefusal=this.#end?.op==="refused";
return isRefusal?this.#end.error:new RacError("terminated",`${this.#channel} has ended`)
}


settled(){
return new Promise((resolve,reject)=>{
this.#settling.add({until:this.#machine.newestWrite,resolve,reject});
this.#tellSettled()
})
}



get isSettled(){
return this.#machine.isSettled
}

connected(){
const[fields,texts]=this.message;
const{since,was,initial}=this.#machine.bind(this.#engine.epoch,texts.default);
if(this.#mode==="paired"){

this.#engine.ask({op:"create",channel:this.#channel,mode:"paired"})
}
this.#engine.ask({...fields,since,was},{...texts,default:initial},(error,reply)=>{
if(error===void 0)this.#bound(reply);
else this.#obey(this.#machine.bindRefused(error))
})
}

#bound(reply){
const{t,was,rev,state,mode,n,sent,cause}=reply.fields;
const before=this.#machine.numbering.terminal;

if(before!==t)this.#unlist(before);
this.#engine.terminals.set(t,this);
const text=reply.text("value");
const orders=this.#machine.bound({terminal:t,was,revision:rev,state,mode,number:n,sent,text,cause});
this.#becomeLive(this.#machine.state==="bound");
this.#obey([...orders,{order:"reported"}])
}

#unlist(t){
if(this.#engine.terminals.get(t)===this)this.#engine.terminals.delete(t)
}

lost(){
this.#becomeLive(false);
this.#obey(this.#machine.lost())
}

gone(error){
this.#becomeLive(false);
this.#obey(this.#machine.close(error))
}

#becomeLive(isLive){
this.#isLive=isLive;
this.#tell("live",isLive)
}

#tell(event,...details){
for(const view of[...this.#views])view[event](...details)
}


heard(message){
const{op,rev,cause,deleted}=message.fields;
if(op==="next")return this.#obey(this.#machine.arrived(message.text("value"),rev,cause));
const error=op==="error"?RacError.of(message):void 0;
this.#obey(this.#machine.ended({op,revision:rev,error,deleted}))
}


answered(message){
const{op,n,rev,cause}=message.fields;
const text=message.text("value");
if(op==="ack")return this.#obey(this.#machine.acknowledged(n,rev,text,cause));
this.#obey(this.#machine.refused(n,RacError.of(message),{revision:rev,text,cause}))
}




#obey(orders){
this.#orders.push(...orders);
if(this.#isObeying)return;
this.#isObeying=true;
for(let order=this.#orders.shift();order!==void 0;order=this.#orders.shift())this.#carryOut(order);
this.#isObeying=false;
this.#tellSettled();
this.#leaveIfUnused()
}

#carryOut(order){
switch(order.order){
case "send":
return this.#send(order);
case "share":
for(const view of[...this.#views])if(view!==order.view)view.show(order.text,0,order.root);
return;
case "show":
return this.#tell("show",order.text,order.revision,order.root);
case "stands":
return this.#tell("stands",order.revision,order.root);
case "reported":
return this.#tell("reported");
case "applied":
for(const{resolve}of this.#takeWriters(order))resolve(order.revision);
return;
case "failed":
return this.#fail(order);
case "missed":
return this.#tell("missed",order.error);
case "get":
return this.#engine.ask({op:"get",channel:this.#channel},{},(error,reply)=>{
this.#obey(this.#machine.got(reply?.text("value"),reply?.fields.rev,reply?.fields.cause))
});
case "bind":
this.#becomeLive(false);
return this.connected();
case "unbind":
return this.#engine.ask({op:"unbind",t:order.terminal});
case "end":
return this.#finish(order.how)
}
}

#send({fields,text}){
try{
this.#engine.say(fields,{value:text?.raw})
}catch(error){
this.#obey(this.#machine.tooLong(fields.n,error))
}
}


#takeWriters({first,last}){
const taken=[];
for(const[write,writer]of this.#writers){
if(write>last)break;
if(write<first)continue;
this.#writers.delete(write);
taken.push(writer)
}
return taken
}

#fail({first,last,error}){
const reason=this.#named(error);
for(const waiter of this.#settling)if(waiter.until>=first)waiter.error=reason;
const writers=this.#takeWriters({first,last});
for(const{reject}of writers)reject(reason);
if(writers.length>last-first)return;
const isTaken=[...this.#views].filter(view=>view.refused(reason)).length>0;
if(!isTaken)this.#engine.problem(reason)
}

#tellSettled(){
for(const waiter of this.#settling){
if(!this.#machine.isAnswered(waiter.until))continue;
this.#settling.delete(waiter);
if(waiter.error===void 0)waiter.resolve();
else waiter.reject(waiter.error)
}
}

#finish(how){
const isRefusal=how.op==="refused";
const error=isRefusal?this.#named(how.error):asError(how.error);
this.#end={...how,error};
this.#becomeLive(false);
const heard=[...this.#views].map(view=>view.ended(this.#end));

if(isRefusal&&error!==this.#engine.end&&heard.every(isHeard=>isHeard===false))this.#engine.problem(error)
}


#named(error){
const{code,message,...more}=error;
return error===this.#engine.end?error:new RacError(code,`${this.#channel}: ${message}`,more)
}

#leaveIfUnused(){
const isUnused=this.#views.size===0||this.#end!==void 0;
const isCurrent=this.#engine.bindings.get(this.#key)===this;

if(!isUnused||!this.#machine.isSettled||!isCurrent||this.#machine.state==="binding")return;
this.#engine.bindings.delete(this.#key);
this.#engine.remove(this);
this.#engine.keepNumbering(this.#key,this.#machine.numbering);
this.#unlist(this.#machine.numbering.terminal);
if(this.#end===void 0)this.#obey(this.#machine.leave());
if(this.#successor!==void 0)this.#successor.#start()
}
}


function bindMessage(channel,mode,{role,interval,conflate,default:initial,will,replay}){
const replays=replay??(mode==="shared"&&role==="leading"?true:void 0);
const fields={op:"bind",channel,role,interval,conflate,replay:replays};
return[fields,{default:initial===void 0?void 0:textOf(initial).raw,will:will&&willText(will)}]
}

function willText({value,error,completed}){
if(value!==void 0)return encode({},{value:textOf(value).raw});
return JSON.stringify(error===void 0?{completed}:{error})
}

"""##,
        "rac/buttons.js": ##"""












export function bindButton(button,command,problem,{input,step=()=>{},failed=problem}={}){
const click=async()=>{
try{
const present=typeof input==="function"?input():input;
const execution=command.execute(present);
for await(const value of execution)step(value,execution)
}catch(error){

if(error.code!=="not-enabled")failed(error)
}
};
const undo=[
command.enabled.subscribe(isEnabled=>(button.disabled=!isEnabled)),
command.executing.subscribe(isExecuting=>button.setAttribute("aria-busy",String(isExecuting)))
];
button.addEventListener("click",click);
return()=>{
button.removeEventListener("click",click);
for(const unsubscribe of undo)unsubscribe()
}
}

"""##,
        "rac/cells.js": ##"""



export class Listeners{
#listeners=new Map();
#newest=0;
#whenFailed;


constructor(whenFailed){
this.#whenFailed=whenFailed
}

get isEmpty(){
return this.#listeners.size===0
}


add(listener){
this.#newest+=1;
const number=this.#newest;
this.#listeners.set(number,listener);
return()=>this.#listeners.delete(number)
}


tell(...event){
for(const[number,listener]of[...this.#listeners]){
if(this.#listeners.has(number))this.call(listener,...event)
}
}


call(listener,...event){
try{
listener(...event)
}catch(error){
this.#whenFailed(error)
}
}
}


export class Cell{
#value;
#listeners;
#watching;






constructor(value,whenFailed,watching){
this.#value=value;
this.#listeners=new Listeners(whenFailed);
this.#watching=watching??(()=>{})
}


get value(){
return this.#value
}






subscribe(subscriber){
const isFirst=this.#listeners.isEmpty;

const remove=this.#listeners.add(value=>value===this.#value&&subscriber(value));
this.#listeners.call(subscriber,this.#value);
if(isFirst)this.#watching(true);
return()=>{
if(remove()&&this.#listeners.isEmpty)this.#watching(false)
}
}


static make(...parts){
const cell=new Cell(...parts);
const set=value=>{
if(value===cell.#value)return;
cell.#value=value;
cell.#listeners.tell(value)
};
return[cell,set]
}
}

"""##,
        "rac/commands.js": ##"""


import{bindButton}from "./buttons.js";
import{Cell,Listeners}from "./cells.js";
import{Execution}from "./executions.js";


export class Command{
#engine;
#setEnabled;
#setExecuting;
#failures;

#watchers=0;
#number;
#isAsking=false;
isSettled=true;


static named(engine,name){
let command=engine.commands.get(name);
if(command===void 0)engine.commands.set(name,(command=new Command(engine,name)));
return command
}

constructor(engine,name){
this.#engine=engine;
this.name=name;
const watching=isWatched=>this.#count(isWatched?1:-1);

[this.enabled,this.#setEnabled]=Cell.make(false,engine.problem,watching);

[this.executing,this.#setExecuting]=Cell.make(false,engine.problem,watching);
this.#failures=new Listeners(engine.problem);

this.failures={subscribe:listener=>this.#subscribe(listener)}
}







execute(input){
return new Execution(this.#engine,this.name,input)
}






bindButton(button,options){
return bindButton(button,this,this.#engine.problem,options)
}

#subscribe(listener){
const remove=this.#failures.add(listener);
this.#count(1);
return()=>remove()&&this.#count(-1)
}



#count(change){
this.#watchers+=change;
if(this.#watchers===1&&change===1){
if(this.#number===void 0&&!this.#isAsking)this.#engine.add(this)
}else if(this.#watchers===0){
this.#leave()
}
}


#leave(){
if(this.#isAsking)return;
this.#engine.remove(this);
const number=this.#number;
this.lost();
if(number===void 0)return;
this.#engine.observations.delete(number);
this.#engine.ask({op:"unobserve",c:number})
}

connected(){
this.#isAsking=true;
this.#engine.ask({op:"observe",command:this.name},{},(error,reply)=>{
this.#isAsking=false;
if(error!==void 0)return this.#engine.problem(error);
this.#number=reply.fields.c;
this.#engine.observations.set(this.#number,this);
this.heard(reply.fields);
if(this.#watchers===0)this.#leave()
})
}

lost(){
this.#isAsking=false;
this.#number=void 0;
this.heard({enabled:false,executing:false});
if(this.#watchers===0)this.#engine.remove(this)
}

gone(){
this.lost()
}


heard({enabled,executing}){
if(executing){
this.#setEnabled(enabled);
this.#setExecuting(executing)
}else{
this.#setExecuting(executing);
this.#setEnabled(enabled)
}
}

failed(error){
this.#failures.tell(error)
}
}

"""##,
        "rac/engine.js": ##"""


import{Cell,Listeners}from "./cells.js";
import{RacError,closed,outcomeUnknown}from "./errors.js";
import{Pauses,Silence,isFinal}from "./pauses.js";
import{newSession}from "./session.js";
import{Message,encode,fits}from "./values.js";


const CONNECT_TIMEOUT=10_000;

const CLOSE_TIMEOUT=1_000;
const REPLY_TIMEOUT=10_000;

const REQUESTS=10_000;

const NUMBERINGS=10_000;
const MAX_FRAME=8_388_608;







export class Engine{
#url;
#options;
#session=newSession();
#pauses=new Pauses();
#users=new Set();

#link;
#silence;
#timer;
#token;
#isTokenRefused=false;
#refusal;
#pending=new Map();
#newestId=0;
#whenSettled;
#ignorePage=()=>{};
#setState;
#problems;


end;


terminals=new Map();
watches=new Map();
observations=new Map();
hostings=new Map();
calls=new Map();
runs=new Map();

bindings=new Map();

watchedPatterns=new Map();

commands=new Map();

#numberings=new Map();

constructor(url,options){
this.#url=url;
this.#options=options;
this.#problems=new Listeners(error=>console.error(error));
[this.connection,this.#setState]=Cell.make({state:"connecting"},this.problem);
this.replyTimeout=options.replyTimeout??REPLY_TIMEOUT;
this.#watchPage();
this.#connect()
}



get isConnected(){
return this.#link?.isWelcome===true
}


get epoch(){
return this.#link?.epoch
}


get waiting(){
return this.#link?.transport.waiting??0
}

get problems(){
return{subscribe:listener=>this.#problems.add(listener)}
}


problem=error=>{
if(this.#problems.isEmpty)console.error(error);
else this.#problems.tell(error)
};

add(user){
if(this.end!==void 0)return user.gone(this.end);
this.#users.add(user);
if(this.isConnected)user.connected()
}

remove(user){
this.#users.delete(user)
}


say(fields,texts){
if(!this.isConnected)return;
const text=encode(fields,texts);
const{maxFrame}=this.#link;
if(!fits(text,maxFrame))throw new RacError("too-large",`a message has at most ${maxFrame} bytes, this one more`);
this.#link.transport.send(text)
}


ask(fields,texts={},answered=()=>{}){
if(!this.isConnected)return void 0;
this.#newestId+=1;
const id=this.#newestId;
this.#pending.set(id,answered);
try{
this.say({...fields,id},texts)
}catch(error){
this.#pending.delete(id);
answered(error)
}
return id
}


request(fields,texts,isRepeatable,answered){
if(this.#users.size>=REQUESTS+this.bindings.size){
answered(new RacError("limit",`${REQUESTS} requests of this program have no answer yet`));
return void 0
}
return new Request(this,fields,texts,isRepeatable,answered)
}


forgetRequest(id){
this.#pending.set(id,(_,reply)=>reply?.fields.x&&this.say({op:"cancel",x:reply.fields.x}))
}

keepNumbering(key,numbering){
this.#numberings.set(key,numbering);
if(this.#numberings.size>NUMBERINGS)this.#numberings.delete(this.#numberings.keys().next().value)
}

takeNumbering(key){
const numbering=this.#numberings.get(key);
this.#numberings.delete(key);
return numbering
}




wake(){
if(this.end!==void 0)return;
if(this.#link===void 0)return this.#connect();
if(!this.isConnected||this.#silence===void 0)return;
this.#silence.hurry(performance.now());
this.say({op:"ping"});
this.#tick()
}

async close(){
if(this.end!==void 0)return;
if(!this.#isSettled){
const settled=new Promise(resolve=>(this.#whenSettled=resolve));
const timer=setTimeout(this.#whenSettled,CLOSE_TIMEOUT);
await settled;
clearTimeout(timer)
}
if(this.end!==void 0)return;
this.say({op:"bye"});
this.#finish(closed())
}

get #isSettled(){
for(const user of this.#users)if(!user.isSettled)return false;
return true
}



async #connect(){
clearTimeout(this.#timer);
const link={isWelcome:false};
this.#link=link;
try{
const isCurrent=await this.#findToken();
if(this.#link!==link)return;
if(!isCurrent)return this.#finish(this.#refusal)
}catch(error){
if(this.#link===link)this.#lost(error);
return
}
this.#refusal=void 0;
this.#timer=setTimeout(()=>this.#drop(`no welcome within ${CONNECT_TIMEOUT} ms`),CONNECT_TIMEOUT);
const ifCurrent=act=>detail=>this.#link===link&&act(detail);
try{
link.transport=this.#options.transport(this.#url,{
opened:ifCurrent(()=>this.#greet()),
message:ifCurrent(text=>this.#receive(text)),
closed:ifCurrent(reason=>this.#lost(this.#refusal??new RacError("connection-lost",reason??"it was closed")))
})
}catch(error){
this.#finish(error)
}
}


async #findToken(){
const{token}=this.#options;
if(typeof token!=="function"||(this.#token!==void 0&&!this.#isTokenRefused)){
this.#token??=token?.trim();
return true
}
const refused=this.#isTokenRefused?this.#token:void 0;
const next=(await token(refused))?.trim();
if(this.#isTokenRefused&&(next===void 0||next===refused))return false;
this.#token=next;
this.#isTokenRefused=false;
return true
}

#greet(){
const{agent,name}=this.#options;
const hello={op:"hello",version:1,agent,name,token:this.#token,session:this.#session};
this.#link.transport.send(encode(hello))
}

#welcome({epoch,server,heartbeat,maxFrame}){
clearTimeout(this.#timer);
const now=performance.now();
this.#pauses.welcomed(now);
Object.assign(this.#link,{isWelcome:true,epoch:this.#session+epoch,maxFrame:maxFrame??MAX_FRAME});
this.#silence=heartbeat>0?new Silence(heartbeat,now):void 0;
if(this.#silence!==void 0)this.#tick();
const link=this.#link;
for(const user of[...this.#users])if(this.#link===link&&this.#users.has(user))user.connected();
this.#setState({state:"connected",server})
}

#tick(){
clearTimeout(this.#timer);
const{act,next}=this.#silence.ticked(performance.now());
if(act==="give-up")return this.#drop("the daemon is silent");
if(act==="ask")this.say({op:"ping"});
this.#timer=setTimeout(()=>this.#tick(),Math.max(1,next))
}




#drop(reason){
const{transport}=this.#link;
this.#lost(this.#refusal??new RacError("connection-lost",reason));
transport?.close()
}

#lost(error){
this.#leaveConnection();
if(this.#isFinal(error))return this.#finish(error);

if(error===this.#refusal&&error.code==="forbidden")this.#session=newSession();
for(const user of[...this.#users])user.lost();
this.#setState({state:"lost",error});

if(this.end!==void 0||this.#link)return;
this.#timer=setTimeout(()=>this.#connect(),this.#pauses.lost(performance.now(),Math.random()))
}


#isFinal(error){
if(error!==this.#refusal)return false;
const{code,isBeforeWelcome}=error;
if(code==="unauthenticated"&&typeof this.#options.token==="function")return false;
return isBeforeWelcome?isFinal(code):code==="already-bound"||code==="unauthenticated"
}

#leaveConnection(){
clearTimeout(this.#timer);
this.#link=void 0;
this.#silence=void 0;
this.#pending.clear();
for(const table of[this.terminals,this.watches,this.observations,this.hostings,this.calls,this.runs])table.clear()
}

#finish(error){
const transport=this.#link?.transport;
this.end=error;
this.#leaveConnection();
this.#ignorePage();
for(const user of[...this.#users])user.gone(error);
this.#users.clear();
this.#whenSettled?.();
transport?.close();
this.#setState({state:"closed",error})
}



#receive(text){
let message;
try{
message=new Message(text)
}catch{
return this.#drop("the other end sent what is no message of a daemon")
}
this.#silence?.heard(performance.now());
if(this.isConnected)this.#dispatch(message);
else this.#receiveFirst(message);
if(this.#whenSettled!==void 0&&this.#isSettled)this.#whenSettled()
}

#receiveFirst(message){
const{op}=message.fields;
if(op==="welcome")return this.#welcome(message.fields);
if(op==="refused")return this.#refuse(message,true);
this.#drop("the other end is no daemon of rac")
}


#refuse(message,isBeforeWelcome){
this.#refusal=Object.assign(RacError.of(message),{isBeforeWelcome});
if(this.#refusal.code==="unauthenticated")this.#isTokenRefused=true;
if(isBeforeWelcome)return this.#drop();
if(this.#refusal.code==="bad-message"||this.#refusal.code==="unknown-op")this.problem(this.#refusal)
}

#dispatch(message){
const{op,id,t,w,c,x}=message.fields;
switch(op){
case "ping":
return this.say({op:"pong"});
case "reply":
case "refused":
return id===void 0?this.#refuse(message,false):this.#answer(id,message);
case "next":
case "completed":
case "error":
if(c!==void 0)return this.observations.get(c)?.failed(RacError.of(message));
if(x!==void 0)return this.calls.get(x)?.heard(message);
return this.terminals.get(t)?.heard(message);
case "ack":
case "nak":
return this.terminals.get(t)?.answered(message);
case "changed":
case "synced":
return this.watches.get(w)?.heard(message);
case "state":
return this.observations.get(c)?.heard(message.fields);
case "unhosted":
return this.hostings.get(c)?.unhosted(RacError.of(message));
case "execute":
return this.hostings.get(c)?.execute(x,message.text("input"));
case "cancel":
return this.runs.get(x)?.cancel(x)
}
}

#answer(id,message){
const answered=this.#pending.get(id);
this.#pending.delete(id);
if(message.fields.op==="reply")answered?.(void 0,message);
else answered?.(RacError.of(message))
}




#watchPage(){
const{document}=globalThis;
if(document===void 0)return;
const wake=()=>document.visibilityState!=="hidden"&&this.wake();
const hide=({persisted})=>persisted&&this.#rest();
const listeners=[
[document,"visibilitychange",wake],
[globalThis,"online",wake],
[globalThis,"pageshow",wake],
[globalThis,"pagehide",hide]
];
for(const[target,event,listener]of listeners)target.addEventListener(event,listener);
this.#ignorePage=()=>{
for(const[target,event,listener]of listeners)target.removeEventListener(event,listener)
}
}


#rest(){
if(this.#link!==void 0)this.#drop("the page was left");
clearTimeout(this.#timer)
}
}


class Request{
#engine;
#message;
#isRepeatable;
#answered;
#timer;
#id;
#isRepeated=false;
isSettled=false;

constructor(engine,fields,texts,isRepeatable,answered){
this.#engine=engine;
this.#message=[fields,texts];
this.#isRepeatable=isRepeatable;
this.#answered=answered;
this.#timer=setTimeout(()=>this.#timeOut(),engine.replyTimeout);
engine.add(this)
}

connected(){
this.#id=this.#engine.ask(...this.#message,(error,reply)=>this.#end(error,reply))
}

lost(){
if(this.#id===void 0)return;
this.#id=void 0;
this.#isRepeated=true;
if(!this.#isRepeatable)this.#end(outcomeUnknown())
}

gone(error){
this.#end(error)
}


withdraw(error){
const isWithdrawn=this.#id===void 0&&!this.isSettled;
if(isWithdrawn)this.#end(error);
return isWithdrawn
}

#timeOut(){
if(this.#id!==void 0)this.#engine.forgetRequest(this.#id);
this.#end(new RacError("timed-out",`no answer from racd within ${this.#engine.replyTimeout} ms`))
}

#end(error,reply){
clearTimeout(this.#timer);
this.isSettled=true;
this.#engine.remove(this);

const isUnknown=error?.code==="conflict"&&this.#isRepeated;
this.#answered(isUnknown?outcomeUnknown():error,reply)
}
}

"""##,
        "rac/errors.js": ##"""








export class RacError extends Error{





constructor(code,message,more={}){
super(message);
this.name="RacError";
this.code=code;
Object.assign(this,more)
}


static of(message){
const{error,rev,index,applied}=message.fields;
const more={};
if(error.data!==void 0)more.data=error.data;
if(rev!==void 0)more.revision=rev;
if(index!==void 0)more.index=index;
if(applied)more.isApplied=true;
const current=message.text("value");
if(current!==void 0)more.current=current;
return new RacError(error.code,error.message||`racd refused: ${error.code}`,more)
}


get wire(){
return{code:this.code,message:this.message,...(this.data===void 0?{}:{data:this.data})}
}
}


export function asError(error){
if(error===void 0||error instanceof Error)return error;
return new RacError(error.code,error.message??"",error.data===void 0?{}:{data:error.data})
}


export const outcomeUnknown=()=>
new RacError("outcome-unknown","the connection was lost before the answer came: this may have happened or not");


export const closed=()=>new RacError("closed","this program has closed its client");

"""##,
        "rac/executions.js": ##"""


import{RacError,outcomeUnknown}from "./errors.js";
import{textOf}from "./values.js";


const VALUES=10_000;

export const cancelled=()=>new RacError("cancelled","the caller has cancelled");






export class Execution{
#engine;
#request;
#number;
#values=[];
#takers=[];
#isIterated=false;

#hasGap=false;
#isCancelled=false;
#last;
#text;
#resolve;
#reject;
#end;
isSettled=true;

constructor(engine,command,input){
this.#engine=engine;

this.result=new Promise((resolve,reject)=>{
this.#resolve=resolve;
this.#reject=reject
});
this.result.catch(()=>{});
const texts={input:input===void 0?void 0:textOf(input).raw};
this.#request=engine.request({op:"exec",command},texts,false,(error,reply)=>{
if(error!==void 0)return this.#finish(error);
this.#number=reply.fields.x;
engine.calls.set(this.#number,this);
engine.add(this);
if(this.#isCancelled)this.#sayCancel()
})
}


cancel(){
if(this.#isCancelled||this.#end!==void 0)return;
this.#isCancelled=true;
if(this.#number!==void 0)this.#sayCancel();
else this.#request?.withdraw(cancelled())
}

#sayCancel(){
this.#engine.say({op:"cancel",x:this.#number})
}



[Symbol.asyncIterator](){
return this
}

async next(){
this.#isIterated=true;
if(this.#hasGap)this.#overflow();
if(this.#values.length>0)return this.#step(this.#values.shift());
if(this.#end===void 0)return new Promise((resolve,reject)=>this.#takers.push({resolve,reject}));
const{error}=this.#end;
this.#end={};
if(error!==void 0)throw error;
return{done:true,value:void 0}
}

async return(value){
this.cancel();
this.#values=[];
return{done:true,value}
}


get raw(){
return this.#text?.raw
}

#step(text){
this.#text=text;
return{done:false,value:text.value}
}



heard(message){
if(message.fields.op!=="next"){
return this.#finish(message.fields.op==="error"?RacError.of(message):void 0)
}
const text=message.text("value");
this.#last=text.value;
const taker=this.#takers.shift();
if(taker!==void 0)return taker.resolve(this.#step(text));
if(this.#values.length<VALUES)return this.#values.push(text);
this.#hasGap=true;
if(this.#isIterated)this.#overflow()
}


#overflow(){
const error=new RacError("slow-consumer",`more than ${VALUES} values of an execution waited for this program`);
this.#hasGap=false;
this.cancel();
this.#finish(error);
this.#end={error}
}

connected(){}


lost(){
this.#finish(outcomeUnknown())
}

gone(error){
this.#finish(error)
}

#finish(error){
if(this.#end!==void 0)return;
this.#end={error};
this.#engine.calls.delete(this.#number);
this.#engine.remove(this);
if(error===void 0)this.#resolve(this.#last);
else this.#reject(error);
const takers=this.#takers;
this.#takers=[];
for(const{resolve,reject}of takers){
if(this.#end.error===void 0)resolve({done:true,value:void 0});
else reject(error);
this.#end={}
}
}
}

"""##,
        "rac/fields.js": ##"""


import{raw,textOf}from "./values.js";


export class Edit{
#isEditing=false;
#isComposing=false;


get isOpen(){
return this.#isEditing||this.#isComposing
}


typed(){
this.#isEditing=true;
return!this.#isComposing
}

compositionBegan(){
this.#isComposing=true
}


compositionEnded(){
this.#isComposing=false;
return this.typed()
}


over(){
this.#isEditing=false;
this.#isComposing=false
}
}


export function placeAfter(before,after,place){
const shorter=Math.min(before.length,after.length);
let start=0;
while(start<shorter&&before[start]===after[start])start+=1;
let rest=0;
while(rest<shorter-start&&before.at(-1-rest)===after.at(-1-rest))rest+=1;
if(place<=start)return place;
const behind=before.length-place;
return behind<=rest?after.length-behind:Math.min(place,after.length-rest)
}


const KINDS={
checkbox:{
read:field=>textOf(field.checked),
show:(field,text)=>(field.checked=text.value===true)
},
number:{
read:field=>numberText(field.value),
show:(field,text)=>showText(field,text.value===null?"":text.raw)
},
text:{
read:field=>textOf(field.value),
show:(field,text)=>showText(field,typeof text.value==="string"?text.value:text.raw)
}
};
KINDS.range=KINDS.number;


function numberText(text){
if(text.trim()===""||!Number.isFinite(Number(text)))return void 0;
try{
return raw(text)
}catch{
return textOf(Number(text))
}
}


function showText(field,text){
const before=field.value;
if(before===text)return;
const hasCaret=field.matches(":focus")&&typeof field.selectionStart==="number";
const[start,end,direction]=[field.selectionStart,field.selectionEnd,field.selectionDirection];
field.value=text;
if(hasCaret)field.setSelectionRange(placeAfter(before,text,start),placeAfter(before,text,end),direction)
}













export function bindInput(field,property,{refused}={}){
const kind=KINDS[field.type]??KINDS.text;
const terminal=property.another();
const edit=new Edit();
const show=()=>{
const text=terminal.text;
if(text!==void 0&&!edit.isOpen)kind.show(field,text)
};
const send=isSent=>{
const text=isSent?kind.read(field):void 0;
if(text!==void 0&&!text.equals(terminal.text))terminal.send(text)
};
const finish=()=>{
edit.over();
show()
};
const events={
input:()=>send(edit.typed()),
compositionstart:()=>edit.compositionBegan(),
compositionend:()=>send(edit.compositionEnded()),
change:finish,
blur:finish
};
for(const[event,listener]of Object.entries(events))field.addEventListener(event,listener);
const disable=()=>{
finish();
field.disabled=true
};

terminal.subscribe({next:show,ended:disable,...(refused&&{refused})});
return()=>{
for(const[event,listener]of Object.entries(events))field.removeEventListener(event,listener);
terminal.unbind()
}
}

"""##,
        "rac/hosting.js": ##"""


import{RacError,closed}from "./errors.js";
import{cancelled}from "./executions.js";
import{fits,textOf}from "./values.js";


const ROOM=1<<20;
const PAUSE=20;

const TURN=1_000;


export class Hosting{
#engine;
#work;
#isConcurrent;
#isEnabled;
#toldEnabled;
#number;
#turn;
#isOver=false;
#setLive;
#finish;
#runs=new Map();

#working=0;
isSettled=true;

constructor(engine,live,name,work,{concurrent=false,enabled=true}={}){
this.#engine=engine;
this.#work=work;
this.#isConcurrent=concurrent;
this.#isEnabled=enabled;
this.name=name;

[this.live,this.#setLive]=live;

this.ended=new Promise(resolve=>(this.#finish=resolve));
engine.add(this)
}


get enabled(){
return this.#isEnabled
}

set enabled(isEnabled){
this.#isEnabled=isEnabled;
this.#tellEnabled()
}


unhost(){
if(this.#isOver)return;
if(this.#number!==void 0){
this.#engine.hostings.delete(this.#number);
this.#engine.ask({op:"unhost",c:this.#number})
}
this.#end()
}



connected(){
const enabled=(this.#toldEnabled=this.#allows);
const host={op:"host",command:this.name,concurrent:this.#isConcurrent,enabled};
this.#engine.ask(host,{},(error,reply)=>{
if(error!==void 0)return error.code==="already-hosted"?this.#wait(error):this.gone(error);
this.#turn=void 0;
this.#number=reply.fields.c;
if(this.#isOver)return this.#engine.ask({op:"unhost",c:this.#number});
this.#engine.hostings.set(this.#number,this);
this.#setLive(true);
this.#tellEnabled()
})
}


#wait(error){
if(this.#isOver)return;
if(this.#turn===void 0)this.#engine.problem(error);
this.#turn=setTimeout(()=>this.connected(),TURN)
}

lost(){
clearTimeout(this.#turn);
this.#number=void 0;
this.#giveUp();
this.#setLive(false)
}


unhosted(error){
this.#engine.hostings.delete(this.#number);
this.gone(error)
}

gone(error){
if(this.#isOver)return;
if(error.code!==closed().code)this.#engine.problem(error);
this.#end(error)
}

#end(error){
this.#isOver=true;
clearTimeout(this.#turn);
this.#engine.remove(this);
this.#giveUp();
this.#setLive(false);
this.#finish(error)
}


get #allows(){
return this.#isEnabled&&(this.#isConcurrent||this.#working===this.#runs.size)
}

#tellEnabled(){
const enabled=this.#allows;
if(this.#isOver||this.#number===void 0||this.#toldEnabled===enabled)return;
this.#toldEnabled=enabled;
this.#engine.say({op:"enabled",c:this.#number,enabled})
}




async execute(number,input){
const controller=new AbortController();
this.#working+=1;
this.#runs.set(number,controller);
this.#engine.runs.set(number,this);
const end=await this.#run(number,input,controller.signal);
this.#working-=1;
if(this.#runs.get(number)!==controller)return this.#tellEnabled();
this.#runs.delete(number);
this.#engine.runs.delete(number);
try{
this.#engine.say({...end,x:number})
}catch(error){

this.#engine.say({op:"error",x:number,error:wireError(error,controller.signal)})
}
}

cancel(number){
this.#runs.get(number)?.abort(cancelled())
}


#giveUp(){
const runs=[...this.#runs.values()];
this.#runs.clear();
for(const controller of runs)controller.abort(cancelled())
}


async #run(number,input,signal){
try{
const made=this.#work(input?.value,{signal,raw:input?.raw});
if(typeof made?.[Symbol.asyncIterator]==="function"){
await this.#sendEach(number,made,signal)
}else{
const value=await made;
if(value!==void 0)this.#send(number,value,signal)
}
return{op:"completed"}
}catch(error){
return{op:"error",error:{toJSON:()=>wireError(error,signal)}}
}
}

async #sendEach(number,values,signal){
for await(const value of values){

signal.throwIfAborted();
this.#send(number,value,signal);
while(this.#engine.waiting>ROOM&&!signal.aborted)await new Promise(resolve=>setTimeout(resolve,PAUSE))
}
signal.throwIfAborted()
}


#send(number,value,signal){
if(this.#runs.get(number)?.signal===signal)this.#engine.say({op:"next",x:number},{value:textOf(value).raw})
}
}


function wireError(error,signal){
if(signal.aborted&&(error===signal.reason||error?.name==="AbortError"))return cancelled().wire;
const{code,message,data}=error instanceof RacError?error:{message:error?.message??error};
const isCode=code&&typeof code==="string"&&fits(code,255);
return{code:isCode?code:"failed",message:String(message),data}
}

"""##,
        "rac/links.js": ##"""


import{Binding}from "./binding.js";
import{RacError}from "./errors.js";
import{textOf}from "./values.js";


const FIRST_PAUSE=1_000;
const LONGEST_PAUSE=30_000;


export class Link{
#sides;
#finish;

#pending;

constructor(engine,left,right,{forward,backward}={}){
if(left===right)throw new RacError("bad-name",`${left} cannot be linked to itself`);

this.ended=new Promise(resolve=>(this.#finish=resolve));
const sides=[new Side(engine,this,left,forward),new Side(engine,this,right,backward)];
this.#sides=sides;
[sides[0].other,sides[1].other]=[sides[1],sides[0]];
try{
for(const side of sides)side.attach()
}catch(error){
this.unlink();
throw error
}
for(const side of sides)side.passNewest()
}


unlink(){
this.over(void 0)
}


sideEnded(side,end){
if(this.#sides===void 0)return;
if(end.op==="refused"||this.#pending!==void 0)return this.over(this.#pending??end);
if(!side.other.isReported)return void(this.#pending=end);
side.other.finish(end);
this.over(end)
}

sideReported(side){
if(this.#pending===void 0||this.#sides===void 0)return;
side.finish(this.#pending);
this.over(this.#pending)
}

over(end){
const sides=this.#sides;
this.#sides=void 0;
for(const side of sides??[])side.detach();
this.#finish(end)
}
}


class Side{
#engine;
#link;
#name;
#map;
#binding;
#view;

#newest;
#mapped;
#retry;
#pause=FIRST_PAUSE;
isReported=false;
other;

constructor(engine,link,name,map){
this.#engine=engine;
this.#link=link;
this.#name=name;
this.#map=map===void 0?text=>text:text=>textOf(map(text.value));
this.#view={
show:(text,_,root)=>this.#show(text,root??0),
stands:(_,root)=>this.#stand(root),
reported:()=>this.#report(),
live:()=>{},
refused:error=>this.#refused(error),
missed:()=>false,
ended:end=>this.#link.sideEnded(this,end)
}
}

attach(){
this.#binding=Binding.of(this.#engine,this.#name,"shared");
const{text,root}=this.#binding.shown;
if(text!==void 0)this.#newest={text,root};
this.#binding.add(this.#view)
}

detach(){
const binding=this.#binding;
this.#binding=void 0;
clearTimeout(this.#retry);
binding?.remove(this.#view)
}

finish(end){
try{
this.#binding?.finish(end.error?.wire)
}catch{

}
}

passNewest(){
if(this.#newest!==void 0&&this.#newest.root>0)this.#pass(this.#newest.text,this.#newest.root)
}

#show(text,root){

if(root>0&&this.#newest?.root===root&&text.equals(this.#newest.text))return;
this.#newest={text,root};
this.#pause=FIRST_PAUSE;
this.passNewest()
}


#stand(root){
if(this.#newest===void 0||this.#newest.root>=root)return;
this.#newest.root=root;
this.passNewest()
}

#report(){
this.isReported=true;
this.#link.sideReported(this);
if(this.#binding===void 0)return;
this.passNewest();
this.other.passNewest()
}

#pass(text,root){
if(this.#binding===void 0||this.other.#binding===void 0)return;
const made=this.#made(text,root);
if(made!==void 0)this.other.#write(made,root)
}


#made(text,root){
if(this.#mapped?.root===root&&text.equals(this.#mapped.text))return this.#mapped.made;
let made;
try{
made=this.#map(text)
}catch(error){
this.#engine.problem(error)
}
this.#mapped={text,root,made};
return made
}

#write(text,cause){
try{
if(this.#binding.write(text,{cause},this.#view)){
this.#newest={text,root:cause};
return
}
}catch(error){
return this.#engine.problem(error)
}
const{shown}=this.#binding;
if(shown.root!==cause||!text.equals(shown.text))this.#show(shown.text,shown.root)
}


#refused(error){
if(error.code==="storage"&&this.#binding!==void 0)this.other.#passLater();
return false
}

#passLater(){
if(this.#retry!==void 0)return;
this.#retry=setTimeout(()=>{
this.#retry=void 0;
this.passNewest()
},this.#pause);
this.#pause=Math.min(this.#pause*2,LONGEST_PAUSE)
}
}

"""##,
        "rac/pauses.js": ##"""


const SHORTEST=100;
const LONGEST=30_000;

const STAY=5_000;

const HURRY=2_000;

const FINAL=new Set(["unsupported-version","unauthenticated","hello-first","bad-message","already-bound"]);


export const isFinal=code=>FINAL.has(code);


export class Pauses{
#bound=SHORTEST;
#welcomedAt;
#lostAt;

welcomed(now){
this.#welcomedAt=now
}








lost(now,random){
if(this.#welcomedAt!==void 0&&now-this.#welcomedAt>=STAY){
this.#bound=SHORTEST;
this.#lostAt=void 0
}
this.#welcomedAt=void 0;
this.#lostAt??=now;
const most=Math.min(this.#bound,Math.max(SHORTEST,now-this.#lostAt));
this.#bound=Math.min(this.#bound*2,LONGEST);
return random*most
}
}


export class Silence{
#heartbeat;
#heardAt;
#askedAt;
#patience;


constructor(heartbeat,now){
this.#heartbeat=heartbeat;
this.#heardAt=now
}

heard(now){
this.#heardAt=now;
this.#askedAt=void 0
}


hurry(now){
this.#askedAt=now;
this.#patience=Math.min(HURRY,this.#heartbeat)
}






ticked(now){
const askAt=this.#heardAt+this.#heartbeat;
if(this.#askedAt===void 0){
if(now<askAt)return{act:"wait",next:askAt-now};
this.#askedAt=now;
this.#patience=this.#heartbeat;
return{act:"ask",next:this.#patience}
}
const giveUpAt=this.#askedAt+this.#patience;
return now<giveUpAt?{act:"wait",next:giveUpAt-now}:{act:"give-up",next:0}
}
}

"""##,
        "rac/session.js": ##"""

export function newSession(){
const bytes=globalThis.crypto.getRandomValues(new Uint8Array(16));
bytes[6]=(bytes[6]&0x0f)|0x40;
bytes[8]=(bytes[8]&0x3f)|0x80;
const digits=Array.from(bytes,byte=>byte.toString(16).padStart(2,"0")).join("");
return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/,"$1-$2-$3-$4-$5")
}

"""##,
        "rac/terminals.js": ##"""


import{Binding}from "./binding.js";
import{Cell,Listeners}from "./cells.js";
import{textOf}from "./values.js";


class Change{
#text;

constructor(text,revision){
this.#text=text;
this.revision=revision;
Object.freeze(this)
}


get raw(){
return this.#text.raw
}
}


class Terminal{
#engine;
#binding;
#view;
#observers;

#refusal;
#isAwaited=false;
#setLive;
#end;
#ready;

constructor(engine,name,mode,options){
this.#engine=engine;
this.name=name;
this.#observers=new Listeners(engine.problem);
[this.live,this.#setLive]=Cell.make(false,engine.problem);
this.#ready=makePromise();
this.#ready.promise.catch(()=>{});
this.#binding=Binding.of(engine,name,mode,options);
this.#view={
show:(text,revision)=>this.#show(text,revision),
stands:()=>{},
reported:()=>this.#ready.resolve(),
live:isLive=>this.#setLive(isLive),
refused:error=>this.#tell("refused",error),
missed:error=>this.#tell("missed",error),
ended:end=>this.#finish(end)
};
this.#binding.add(this.#view)
}


get value(){
return this.#binding.shown.text?.value
}


get text(){
return this.#binding.shown.text
}


get raw(){
return this.#binding.shown.text?.raw
}


get revision(){
return this.#binding.shown.revision
}


get end(){
return this.#end
}


ready(){
this.#isAwaited=true;
return this.#ready.promise
}






subscribe(subscriber){
const observer=typeof subscriber==="function"?{next:subscriber}:subscriber;
const remove=this.#observers.add(act=>act(observer));
const{text,revision}=this.#binding.shown;
if(text!==void 0)this.#observers.call(()=>observer.next?.(text.value,new Change(text,revision)));
if(this.#end!==void 0)this.#observers.call(()=>tellEnd(observer,this.#end));
return remove
}






send(value){
const text=textOf(value);
try{
this.#binding.write(text,{},this.#view)
}catch(error){
this.#refusal=error;
if(!this.#tell("refused",error))this.#engine.problem(error)
}
}








set(value,{if:condition,sync}={}){
return new Promise((resolve,reject)=>{
this.#binding.write(textOf(value),{condition,sync},this.#view,{resolve,reject})
})
}


async settled(){
const error=this.#refusal;
this.#refusal=void 0;
await this.#binding.settled();
if(error!==void 0)throw error
}


complete(options){
return this.#finishChannel(void 0,options)
}


fail({code,message,data},options){
return this.#finishChannel({code,message,data},options)
}


another(){
const{role}=this.#binding.options;
return new this.constructor(this.#engine,this.name,{role})
}


unbind(){
this.#observers=new Listeners(this.#engine.problem);
this.#binding.remove(this.#view)
}

#finishChannel(error,options){
return new Promise((resolve,reject)=>this.#binding.finish(error,options,{resolve,reject}))
}

#show(text,revision){
this.#tell("next",text.value,new Change(text,revision))
}


#tell(event,...detail){
let isHeard=false;
this.#observers.tell(observer=>{
isHeard||=observer[event]!==void 0;
observer[event]?.(...detail)
});
return isHeard
}


#finish(end){
this.#end=Object.freeze({...end});
if(end.error===void 0)this.#ready.resolve();
else this.#ready.reject(end.error);
const isHeard=this.#tell(end.error===void 0?"complete":"error",end.error??this.#end);
this.#tell("ended");
return isHeard||this.#isAwaited
}
}


export class Property extends Terminal{
constructor(engine,name,options){
super(engine,name,"shared",options)
}

get value(){
return super.value
}


set value(value){
this.send(value)
}
}


export class PairedTerminal extends Terminal{
constructor(engine,name,options){
super(engine,name,"paired",options)
}
}

function tellEnd(observer,end){
if(end.error===void 0)observer.complete?.(end);
else observer.error?.(end.error);
observer.ended?.()
}

function makePromise(){
const made={};
made.promise=new Promise((resolve,reject)=>Object.assign(made,{resolve,reject}));
return made
}

"""##,
        "rac/values.js": ##"""







export class JSONText{
#raw;
#value;
#isParsed;
#source;





constructor(parts){
this.#raw=parts.raw;
this.#source=parts.source;
this.#isParsed="value" in parts;
this.#value=parts.value
}


get raw(){
if(this.#raw===void 0){
this.#raw=memberText(this.#source.text,this.#source.key);
this.#source=void 0
}
return this.#raw
}


get value(){
if(!this.#isParsed){
this.#value=JSON.parse(this.#raw);
this.#isParsed=true
}
return this.#value
}


toJSON(){
return this.value
}


equals(other){
return other!==void 0&&(this===other||this.raw===other.raw)
}
}







export function raw(text){
return new JSONText({raw:text.trim(),value:JSON.parse(text)})
}







export function textOf(value){
if(value instanceof JSONText)return value;
if(typeof value==="bigint")return new JSONText({raw:value.toString()});
const isInfinite=typeof value==="number"&&!Number.isFinite(value);
const text=isInfinite?void 0:JSON.stringify(value);
if(text===void 0)throw new TypeError(`${String(value)} has no JSON form: send null, or nothing`);
return new JSONText({raw:text})
}


export class Message{
#text;


constructor(text){
const fields=JSON.parse(text);
if(fields===null||typeof fields!=="object"||Array.isArray(fields)||typeof fields.op!=="string"){
throw new SyntaxError("a message is a JSON object with a string op")
}
this.#text=text;
this.fields=fields
}


text(key){
if(!Object.hasOwn(this.fields,key))return void 0;
return new JSONText({source:{text:this.#text,key},value:this.fields[key]})
}
}







export function encode(fields,texts={}){
let message=JSON.stringify(fields).slice(0,-1);
for(const[key,text]of Object.entries(texts)){
if(text!==void 0)message +=`${message === "{" ? "" : ","}${JSON.stringify(key)}:${text}`
}
return `${message}}`
}


export function fits(text,bytes){

return text.length*3<=bytes||(text.length<=bytes&&new TextEncoder().encode(text).length<=bytes)
}


function memberText(text,key){
let at=skipSpace(text,text.indexOf("{")+ 1);
for(;;){
const behindKey=skipString(text,at);
const written=text.slice(at+1,behindKey-1);
const name=written.includes("\\")?JSON.parse(`"${written}"`):written;
const start=skipSpace(text,skipSpace(text,behindKey)+ 1);
const end=skipValue(text,start);
if(name===key)return text.slice(start,end);
at=skipSpace(text,skipSpace(text,end)+ 1)
}
}

function skipSpace(text,at){
while(text[at]===" "||text[at]==="\n"||text[at]==="\r"||text[at]==="\t")at+=1;
return at
}


function skipString(text,at){
for(;;){
at=text.indexOf('"',at+1);
let first=at;
while(text[first-1]==="\\")first-=1;
if((at-first)% 2===0)return at+1
}
}

function skipValue(text,at){
if(text[at]==='"')return skipString(text,at);
if(text[at]!=="{"&&text[at]!=="["){
const end=/[\s,\]}]/g;
end.lastIndex=at;
return end.exec(text).index
}
const mark=/["[\]{}]/g;
let depth=0;
do{
mark.lastIndex=at;
at=mark.exec(text).index;
if(text[at]==='"'){
at=skipString(text,at)
}else{
depth+=text[at]==="{"||text[at]==="["?1:-1;
at+=1
}
}while(depth>0);
return at
}

"""##,
        "rac/watches.js": ##"""


import{Listeners}from "./cells.js";
import{RacError}from "./errors.js";


export class ChannelState{
#text;
#wish;

constructor(name,message){
const{rev:revision,state,mode,error,cause,value,wish,wishRev:wishRevision,at,by}=message.fields;
Object.assign(this,{name,revision,state,mode,error,cause,value,wish,wishRevision,at,by});
this.#text=message.text("value");
this.#wish=message.text("wish")
}


get raw(){
return this.#text?.raw
}


get rawWish(){
return this.#wish?.raw
}
}


class WatchedPattern{
#engine;
#listeners;
#number;

#isAsking=false;

#told;
#end;
#revisions=new Map();
isSynced=false;
isSettled=true;
channels=new Map();

constructor(engine,pattern,keeps){
this.#engine=engine;
this.#listeners=new Listeners(engine.problem);
this.pattern=pattern;
this.keeps=keeps
}

add(listener){
const tell=(event,detail)=>listener[event]?.(detail);
const remove=this.#listeners.add(tell);
for(const state of this.channels.values())this.#listeners.call(tell,"changed",state);
if(this.isSynced)this.#listeners.call(tell,"synced");
if(this.#end!==void 0)this.#listeners.call(tell,"error",this.#end);
return()=>{
if(remove()&&this.#listeners.isEmpty)this.#leave()
}
}

connected(){
this.#told=new Set();
this.isSynced=false;
this.#isAsking=true;
this.#engine.ask({op:"watch",pattern:this.pattern},{},(error,reply)=>{
this.#isAsking=false;
if(error!==void 0)return this.gone(error);
this.#number=reply.fields.w;
this.#engine.watches.set(this.#number,this);
if(this.#listeners.isEmpty)this.#leave()
})
}

lost(){
this.#isAsking=false;
this.#number=void 0;
if(this.#listeners.isEmpty)this.#leave()
}

gone(error){
this.#end=error;
this.#remove();
this.#listeners.tell("error",error)
}

heard(message){
const{op,channel,state}=message.fields;
if(op==="synced")return this.#synced();
const known=this.#revisions.get(channel);
const told=new ChannelState(channel,message);
this.#told?.add(channel);
if(state==="deleted")this.#forget(channel);
else this.#remember(told);
const isNews=known===void 0?state!=="deleted":known!==told.revision;
if(isNews)this.#listeners.tell("changed",told)
}

#remember(told){
this.#revisions.set(told.name,told.revision);
if(this.keeps)this.channels.set(told.name,told)
}

#forget(name){
this.#revisions.delete(name);
this.channels.delete(name)
}


#synced(){
for(const name of this.#revisions.keys()){
if(this.#told.has(name))continue;
this.#forget(name);
this.#listeners.tell("changed",new ChannelState(name,new Deletion()))
}
this.#told=void 0;
this.isSynced=true;
this.#listeners.tell("synced")
}

#remove(){
const{watchedPatterns}=this.#engine;

if(watchedPatterns.get(this.pattern)===this)watchedPatterns.delete(this.pattern);
this.#engine.remove(this)
}


#leave(){
if(this.#isAsking)return;
this.#remove();
if(this.#number===void 0)return;
this.#engine.watches.delete(this.#number);
this.#engine.ask({op:"unwatch",w:this.#number})
}
}


class Deletion{
fields={state:"deleted"};

text(){
return void 0
}
}


export class Watch{
#pattern;
#remove;

constructor(engine,pattern,listener,{keep=true}={}){
let watched=engine.watchedPatterns.get(pattern);
const isNew=watched===void 0;
if(!isNew&&!(keep&&watched.keeps)){
throw new RacError("already-bound",`this program watches ${pattern} already, and not each watch keeps the states`)
}
if(isNew){
watched=new WatchedPattern(engine,pattern,keep);
engine.watchedPatterns.set(pattern,watched)
}
this.#pattern=watched;
this.#remove=watched.add(listener);
if(isNew)engine.add(watched)
}


get channels(){
return this.#pattern.channels
}


get isSynced(){
return this.#pattern.isSynced
}


stop(){
this.#remove()
}
}

"""##,
        "rac/websocket.js": ##"""


import{RacError}from "./errors.js";






export function webSocket(url,events){
const socket=new globalThis.WebSocket(url,"rac.v1");
const{host,origin}=globalThis.location??{};

let help=host&&new URL(url).host!==host?`; racd takes this page by --web-origin ${origin}`:"";
socket.onopen=()=>{
help="";
events.opened()
};
socket.onmessage=({data})=>events.message(data);
socket.onclose=({code,reason})=>events.closed(reason||`the WebSocket was closed with code ${code}${help}`);
return{

send:text=>socket.readyState===1&&socket.send(text),
close:()=>socket.close(),
get waiting(){
return socket.bufferedAmount
}
}
}

webSocket.address=webSocketAddress;


export function webSocketAddress(url){
if(typeof globalThis.WebSocket!=="function"){
throw new RacError("no-websocket","this JavaScript has no WebSocket: pass { transport: tcp } of rac-client/tcp")
}
if(url!==void 0){
if(/^wss?:\/\/./.test(url))return url;
throw new RacError("invalid-url",`${url} is no WebSocket's address, such as ws://127.0.0.1:7220/rac`)
}
const page=globalThis.location;
if(!/^https?:$/.test(page?.protocol))return "ws://127.0.0.1:7220/rac";
return `${page.protocol.replace("http", "ws")}//${page.host}/rac`
}

"""##,
    ]
}
