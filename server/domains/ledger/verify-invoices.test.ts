// The proof names a gap in the numbers of invoices, and an invoice that its payment request contradicts.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { ask } from "@/test/payer";
import { openRawAccess, type RawAccess } from "@/test/raw-access";
import { openWorld, type World } from "@/test/world";
import { verifyLedger } from "./verify";

let world: World;
let raw: RawAccess;
/** The payment requests of the invoices, in the order of their numbers. */
const ids: string[] = [];

beforeAll(async () => {
  world = await openWorld();
  const { member } = await world.organization();
  for (let made = 0; made < 3; made++) {
    ids.push((await ask(world, member.actor, { type: "invoice" })).payment.payment_id);
  }
  await ask(world, member.actor);
  raw = await openRawAccess(world.database.url, ["invoices", "invoice_series", "payments"]);
});
afterEach(() => raw.restore());
afterAll(async () => {
  await raw.close();
  await world.close();
});

/** The record with another value, as JSON, of a field; a field within another is named like `taxes.0.tax_amount`. */
const changed = (field: string, value: string) =>
  dialect === "sqlite"
    ? `json_set(record, '$.${field.replace(/\.(\d+)/g, "[$1]")}', json('${value}'))`
    : `jsonb_set(record::jsonb, '{${field.replaceAll(".", ",")}}', '${value}')::text::json`;

const rewrite = (field: string, value: string) =>
  raw.run(`update invoices set record = ${changed(field, value)} where payment_id = ?`, ids[0]);

/** Gives the first invoice another number, everywhere. */
const renumber = async (number: string) => {
  await rewrite("number", `"${number}"`);
  await raw.run("update payments set invoice_number = ? where id = ?", number, ids[0]);
};

const verify = () => verifyLedger(world.database.url, world.runtime.keys);

it("confirms sound invoices", async () => {
  expect((await verify()).ok).toBe(true);
});

it.each([
  ["a missing number", () => raw.run("delete from invoices where sequence = 2"), "2 invoices up to 3"],
  ["a missing last number", () => raw.run("delete from invoices where sequence = 3"), "2 invoices up to 2"],
  ["a number that is too high", () => raw.run("update invoices set sequence = 9 where sequence = 3"), "up to 9"],
  ["a series that lags behind", () => raw.run("update invoice_series set last_number = 2"), "the last number is 2"],
  ["a missing series", () => raw.run("delete from invoice_series"), "never given"],
  ["another year", () => raw.run("update invoices set year = year + 1 where sequence = 3"), "2 invoices up to 2"],
  ["another number", () => raw.run("update payments set invoice_number = '1' where id = ?", ids[0]), "do not agree"],
  [
    "a number of another year",
    () => raw.run("update payments set invoice_number = '1999-0001' where id = ?", ids[0]),
    "do not agree",
  ],
  ["another amount", () => rewrite("gross_amount", "7"), "do not agree"],
  ["a number that ends like its own", () => renumber("2026-0011"), "do not agree"],
  ["a number with more digits", () => renumber("2026-00001"), "do not agree"],
  ["a number with fewer digits", () => renumber("2026-1"), "do not agree"],
  ["another net amount", () => rewrite("net_amount", "7"), "do not agree"],
  ["taxes that do not add up to the net amount", () => rewrite("taxes.0.taxable_amount", "7"), "do not agree"],
  ["taxes that do not add up to the tax", () => rewrite("taxes.0.tax_amount", "7"), "do not agree"],
  ["no taxes", () => rewrite("taxes", "[]"), "do not agree"],
  ["no number", () => raw.run("update payments set invoice_number = null where id = ?", ids[1]), "do not agree"],
  [
    "a number without an invoice",
    () => raw.run("update payments set invoice_number = '7' where invoice_number is null"),
    "do not agree",
  ],
] as const)("names %s", async (_name, change, message) => {
  await change();
  const result = await verify();
  expect(result.ok ? "nothing" : result.fault).toMatchObject({ check: "invoice" });
  expect(result.ok ? "" : result.fault.message).toContain(message);
});
