// Which operations work in their organization's time, and that none of them takes it where the real time counts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Operation } from "@/server/kit/operation";
import { operations } from "./operations";

const all = Object.values(operations as Record<string, Record<string, Operation>>).flatMap((verbs) =>
  Object.values(verbs),
);

/** Resources whose records follow the organization's time. */
const ofOrganization = ["customers", "ledger", "overview", "payments", "search", "subscriptions", "transactions"];

/** Operations of other resources that touch such records. */
const others = ["accounts.close", "accounts.closing", "sandbox.events", "sandbox.simulate"];

/** Operations without a caller, which enter the time of the organization that they find, or need none. */
const isBehindLink = ({ access }: Operation) => access.name === "pay.link";

it("operations about money and customers work in their organization's time, and no others do", () => {
  const expected = all
    .filter((one) => ofOrganization.includes(one.id.split(".")[0] ?? "") && !isBehindLink(one))
    .map(({ id }) => id);
  const found = all.filter(({ time }) => time === "organization").map(({ id }) => id);
  expect(found.sort()).toEqual([...expected, ...others].sort());
});

const sources = ["closing", "customers", "overview", "payments", "subscriptions", "transactions"]
  .map((domain) => join("server/domains", domain))
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

it("operations behind a pay link use no time before they have entered that of the organization", () => {
  const behindLink = sources.filter(({ text }) => text.includes('rules["pay.link"]'));
  expect(behindLink.length).toBeGreaterThan(5);
  const enters = /inTimeOf\(|findLinked\(call|lockByLink\(call/;
  const wrong = behindLink.filter(({ text }) => /\bctx\.now\b|settle\(ctx/.test(text) && !enters.test(text));
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

/** Planned reminders of the sandbox have counters of their own, so that a moved clock shows which would wait. */
const reminders = "server/domains/payments/reminders.ts";

it("limits, form tokens and ids take the real time, apart from the counters of planned reminders", () => {
  const taking = /\b(?:reserve|giveBack|secondsToWait|isFormToken|issueFormToken|newId)\([^;]*?\bctx\.now\b/;
  const wrong = sources.filter(({ text }) => text.split("\n").some((line) => taking.test(line)));
  expect(wrong.map(({ file }) => file)).toEqual([reminders]);
});
