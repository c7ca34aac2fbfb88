// The order of what the search over everything found.
import { IconUser } from "@tabler/icons-react";
import { expect, it } from "vitest";
import type { Group } from "./choices";
import { exactFirst } from "./exact-first";

const choice = (href: string, ...names: (string | null)[]) => ({ href, Icon: IconUser, title: href, names });
const groups: Group[] = [
  { name: "paymentRequests", choices: [choice("a", "pay_1", "R-10"), choice("b", "pay_2", "R-1")] },
  { name: "customers", choices: [choice("c", "cus_1", null, "ada@example.com"), choice("d", "cus_2")] },
];

it.each([
  ["nothing exactly", "ada", "a b c d"],
  ["a number, whatever its case", "r-1", "b a c d"],
  ["an id", "cus_2", "d c a b"],
  ["an e-mail address", "Ada@example.com", "c d a b"],
])("a text that names %s", (_, typed, expected) => {
  const order = exactFirst(groups, typed).flatMap(({ choices }) => choices.map(({ href }) => href));
  expect(order.join(" ")).toBe(expected);
});
