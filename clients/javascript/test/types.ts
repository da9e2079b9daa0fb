// A program with types, right and wrong: types.test.js has tsc check it. Each expected error is one.

import { bindInput, connect, raw } from "../rac.js";

interface Lamp {
  on: boolean;
  level?: number;
}
const rac = connect();

const count = rac.property<number>("n", { default: 0, will: { value: raw("1.50") } });
count.value = 1;
count.value = raw("1.50");
count.value = (count.value ?? 0) + 1;
count.send(2);
const revision: Promise<number> = count.set(3, { if: count.revision });
count.subscribe((value: number, { raw }) => raw);
// @ts-expect-error
count.value = "abc";
// @ts-expect-error
count.value = () => 1;
// @ts-expect-error
count.send({ a: 1 });
// @ts-expect-error
count.set({ a: 1 });
// @ts-expect-error
count.another().value = "abc";
// @ts-expect-error
count.subscribe((value: string) => value);

const lamp = rac.property<Lamp>("lamp", { default: { on: false }, role: "leading" });
lamp.value = { on: true, level: 1 };
// @ts-expect-error
lamp.value = { on: "yes" };
// @ts-expect-error
lamp.value = 7;
// @ts-expect-error
rac.property<Lamp>("lamp", { default: 7 });
// @ts-expect-error
rac.property<Lamp>("lamp", { will: { value: "off" } });

// A program that names no type writes each value, whatever the default is.
const any = rac.property("any", { default: 0 });
any.value = "abc";
any.value = { a: [1] };
bindInput(document.createElement("input"), count);

const side = rac.paired<Lamp, number>("p", "leading", { default: 1 });
side.send(1);
side.send(raw("1.0"));
// @ts-expect-error
side.send({ on: true });
// @ts-expect-error
side.value = 1;

const blink = rac.command<{ times: number }, number>("blink");
for await (const step of blink.execute({ times: 1 })) step.toFixed();
blink.execute(raw('{"times":1}'));
rac.command<number | undefined>("optional").execute();
rac.command("any").execute();
// @ts-expect-error
blink.execute();
// @ts-expect-error
blink.execute({ times: "1" });
// @ts-expect-error
blink.bindButton(document.createElement("button"), { input: 1 });
// @ts-expect-error
rac.paired("p", "both");

export { revision };
