// Two fields of one property: each shows the text of the other, in every browser.

import { bindInput, connect } from "../rac.js";
import { showConnection } from "./page.js";

const rac = connect(undefined, { agent: "example-text-fields" });
const text = rac.property("examples/text");
for (const field of document.querySelectorAll("#fields input")) bindInput(field, text);

showConnection(document.querySelector("#connection"), rac);
