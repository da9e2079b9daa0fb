// Several fields, each bound to a channel. Saving is a command.

import { RacError, bindInput, connect } from "../rac.js";
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
