// Signing in to a closed daemon. The token becomes a cookie that no script can read.

import { ask, field } from "./dialogs.js";
import { $, h, setText, submit } from "./dom.js";

const PATH = new URL("../v1/session", import.meta.url);

/** How this browser stands with the daemon: `closed`, `admitted`, `principal`. A closed daemon is signed in to first. */
export async function readSession() {
  const problem = await signInByAddress();
  const answer = await askSession();
  if (!answer.closed || answer.admitted) return answer;
  await signIn(problem);
  return readSession();
}

const askSession = () => fetch(PATH, { cache: "no-store" }).then((response) => response.json()).catch(() => ({}));

/** The one-time code of `racctl ui` in the address, and the place in the page behind it. */
const CODE = /^#sign-in=([\w-]+)\/?(.*)$/;

/**
 * Signs in with the code of the address, which loses it, and returns the fault in words, if there is one.
 *
 * Any page may lead to such an address, and the maker of the code has chosen the principal. So a session that is there gives
 * way only if the person wants that.
 */
async function signInByAddress() {
  const [, code, place] = CODE.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(null, "", place === "" ? location.pathname : `#${place}`);
  const { closed, principal } = await askSession();
  if (closed && principal !== undefined && principal !== "anonymous") {
    const text = `This browser is signed in as ${principal}. The address has a code, and the maker of the code has chosen another `
      + "principal for you. Go on only if you have made it yourself, with racctl ui.";
    if ((await ask({ title: "Sign in by this address?", text, act: "Sign in" })) === undefined) return;
  }
  return send({ code });
}

// Such an address may come while the page is open, and the browser keeps the page then.
window.addEventListener("hashchange", () => CODE.test(location.hash) && location.reload());

/** Shows a form in place of everything else until the daemon takes a token. */
export function signIn(reason = "This racd is closed. Sign in with a token.") {
  return new Promise((resolve) => {
    const fault = h("p.fault", { role: "alert" });
    const token = h("input", { type: "password", name: "token", required: true, autocomplete: "current-password", id: "token" });
    const button = submit("confirm", "Sign in");
    const onsubmit = async (event) => {
      event.preventDefault();
      button.disabled = true;
      const problem = await send({ token: token.value });
      button.disabled = false;
      setText(fault, problem ?? "");
      if (problem !== undefined) return token.select();
      form.remove();
      document.body.classList.remove("signing-in");
      resolve();
    };
    const form = h("form.sign-in", { id: "sign-in", onsubmit },
      h("h2", "Sign in"), h("p", reason), field("Token", token, "racd token create makes one"), fault, h("div.buttons", button));
    $("#sign-in")?.remove();
    document.body.classList.add("signing-in");
    document.body.append(form);
    token.focus();
  });
}

/** Sends a token or a code, and returns the fault in words, if there is one. */
async function send(proof) {
  try {
    const answer = await fetch(PATH, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(proof) });
    if (answer.ok) return;
    const { detail } = await answer.json().catch(() => ({}));
    return `Refused: ${detail ?? `racd answers ${answer.status}`}.`;
  } catch {
    return "racd cannot be reached.";
  }
}

/** The reason for which the daemon refuses this page; undefined if it refuses nothing, or does not answer. */
export async function refusalOfPage() {
  // A page does not see the answer to its WebSocket, but it sees that to another request with an Origin.
  const answer = await fetch(PATH, { method: "OPTIONS" }).catch(() => undefined);
  return answer === undefined || answer.ok ? undefined : (await answer.json().catch(() => ({}))).detail;
}

export async function signOut() {
  await fetch(PATH, { method: "DELETE" }).catch(() => {});
  location.reload();
}
