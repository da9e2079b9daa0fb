// A button bound to a command, disabled in every browser while the command runs.

import { connect } from "../rac.js";
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

// One of the open pages hosts the command and switches the lamp. If that page is closed meanwhile, its will switches it off.
rac.host(blink.name, async function* ({ times }) {
  const lampSwitch = rac.property("examples/lamp", { role: "leading", will: { value: false } });
  try {
    for (let time = 1; time <= times; time += 1) {
      for (const isOn of [true, false]) {
        lampSwitch.value = isOn;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      yield time;
    }
  } finally {
    lampSwitch.unbind();
  }
});

showConnection(document.querySelector("#connection"), rac);
