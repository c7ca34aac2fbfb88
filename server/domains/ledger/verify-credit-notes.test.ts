// The proof names credit notes that have gaps, exceed their invoice, or disagree with refunds and cancelations.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { cancelRequest, refundRequest } from "@/test/merchant";
import { create } from "@/test/money";
import { ask, goodCard, payWith, transactionsOf } from "@/test/payer";
import { openRawAccess, type RawAccess } from "@/test/raw-access";
import { openWorld, type World } from "@/test/world";
import { verifyLedger } from "./verify";

let world: World;
let raw: RawAccess;

beforeAll(async () => {
  world = await openWorld();
  const { member } = await world.organization();
  const invoice = () => ask(world, member.actor, { type: "invoice" });
  const refunded = await invoice();
  await payWith(world, refunded.token, goodCard);
  const [charge] = await transactionsOf(world, refunded.payment.payment_id);
  await create(world, member.actor, { type: "refund", parent_transaction_id: charge?.id ?? "", amount: 250 });
  await refundRequest(world, member.actor, refunded.payment.payment_id);
  await cancelRequest(world, member.actor, (await invoice()).payment.payment_id);
  await invoice();
  raw = await openRawAccess(world.database.url, [
    "invoices",
    "credit_notes",
    "credit_note_series",
    "credit_note_voids",
    "payments",
  ]);
});
afterEach(async () => {
  await raw.run("delete from credit_note_voids");
  await raw.restore();
});
afterAll(async () => {
  await raw.close();
  await world.close();
});

/** The record with another value of each field; a field within another is named like `taxes.0.tax_amount`. */
const changed = (...fields: [field: string, value: string][]) =>
  fields.reduce((record, [field, value]) => {
    const at = field.replace(/\.(\d+)/g, "[$1]");
    if (dialect === "sqlite") return `json_set(${record}, '$.${at}', ${value})`;
    const json = `to_jsonb(${value}${value.startsWith("'") ? "::text" : ""})`;
    return `jsonb_set(${record}::jsonb, '{${field.replaceAll(".", ",")}}', ${json})::text::json`;
  }, "record");

const rewrite = (sequence: number, ...fields: [field: string, value: string][]) =>
  raw.run(`update credit_notes set record = ${changed(...fields)} where sequence = ${sequence}`);

/** The record with another amount everywhere. */
const allAmounts = (amount: number): [string, string][] =>
  ["gross_amount", "net_amount", "taxes.0.taxable_amount"].map((field) => [field, String(amount)]);

const verify = () => verifyLedger(world.database.url, world.runtime.keys);
const isThird = "sequence = 3";

it("confirms sound credit notes", async () => {
  expect((await verify()).ok).toBe(true);
});

it.each([
  ["a missing number", () => raw.run("delete from credit_notes where sequence = 2"), "2 credit notes up to 3"],
  ["a series that lags behind", () => raw.run("update credit_note_series set last_number = 2"), "the last number is 2"],
  ["a missing series", () => raw.run("delete from credit_note_series"), "never given"],
  ["another amount", () => raw.run("update credit_notes set amount = 249 where sequence = 1"), "do not agree"],
  ["another number", () => rewrite(3, ["number", "'7'"]), "its invoice do not agree"],
  ["other taxes", () => rewrite(3, ["tax_amount", "1"]), "its invoice do not agree"],
  ["a number with more digits", () => rewrite(1, ["number", "'CN-2026-00001'"]), "its invoice do not agree"],
  ["a number that ends like its own", () => rewrite(1, ["number", "'CN-2026-0991'"]), "its invoice do not agree"],
  ["a number without the mark of credit notes", () => rewrite(1, ["number", "'2026-0001'"]), "Two papers have"],
  ["a number with another mark", () => rewrite(1, ["number", "'cn-2026-0001'"]), "its invoice do not agree"],
  ["another invoice", () => rewrite(1, ["preceding_invoice.number", "'2026-0009'"]), "its invoice do not agree"],
  ["a wrong date of the invoice", () => rewrite(1, ["preceding_invoice.issue_date", "'2026-01-01'"]), "do not agree"],
  ["a date before that of the invoice", () => rewrite(1, ["issue_date", "'2026-11-19'"]), "its invoice do not agree"],
  [
    "a number of a year before that of the invoice",
    async () => {
      const date = ["issue_date", "'2027-01-01'"] satisfies [string, string];
      await raw.run(`update invoices set record = ${changed(date)}`);
      await raw.run(
        `update credit_notes set record = ${changed(date, ["preceding_invoice.issue_date", "'2027-01-01'"])}`,
      );
    },
    "its invoice do not agree",
  ],
  ["taxes that do not add up", () => rewrite(1, ["taxes.0.taxable_amount", "249"]), "its invoice do not agree"],
  ["taxes beside the net amount", () => rewrite(1, ["taxes.0.tax_amount", "1"]), "its invoice do not agree"],
  ["taxes that are no list", () => rewrite(1, ["taxes", "7"]), "its invoice do not agree"],
  [
    "another cause",
    () => raw.run("update credit_notes set cause = 'partial_capture' where cause = 'cancelation'"),
    "its invoice do not agree",
  ],
  [
    "a void note of a refund that succeeded",
    () =>
      raw.run(
        "insert into credit_note_voids (credit_note_id, created_at) select id, 1 from credit_notes where sequence = 1",
      ),
    "the status of its refund",
  ],
  [
    "a void note of a cancelation",
    () =>
      raw.run(
        "insert into credit_note_voids (credit_note_id, created_at) select id, 1 from credit_notes where sequence = 3",
      ),
    "the status of its refund",
  ],
  [
    "a cancelation that credits less than what was not paid",
    async () => {
      await raw.run("update credit_notes set amount = 1249 where sequence = 3");
      await rewrite(3, ...allAmounts(1249));
    },
    "do not add up",
  ],
  [
    "a credit note of a cancelation that did not happen",
    async () => {
      await raw.run("update credit_notes set cause = 'cancelation', refund_id = null where sequence = 1");
      await rewrite(1, ["cause", "'cancelation'"]);
    },
    "do not add up",
  ],
  [
    "a credit note of a partial capture that did not happen",
    async () => {
      await raw.run("update credit_notes set cause = 'partial_capture', refund_id = null where sequence = 1");
      await rewrite(1, ["cause", "'partial_capture'"]);
    },
    "do not add up",
  ],
  [
    "a cancelation without a credit note",
    async () => {
      await raw.run("delete from credit_notes where sequence = 3");
      await raw.run("update credit_note_series set last_number = 2");
    },
    "do not add up",
  ],
  [
    "a refund without a credit note",
    async () => {
      await raw.run("update credit_notes set sequence = 9 where sequence = 1");
      await raw.run(
        `update credit_notes set sequence = 1, record = ${changed(["number", "'CN-2026-0001'"])} where ${isThird}`,
      );
      await raw.run("delete from credit_notes where sequence = 9");
      await raw.run("update credit_note_series set last_number = 2");
    },
    "A refund of an invoice",
  ],
  [
    "more than the invoice",
    async () => {
      await raw.run(`update credit_notes set amount = 1251 where ${isThird}`);
      await rewrite(3, ...allAmounts(1251));
    },
    "exceed it",
  ],
] as const)("names %s", async (_name, change, message) => {
  await change();
  const result = await verify();
  expect(result.ok ? "nothing" : result.fault).toMatchObject({ check: "credit_note" });
  expect(result.ok ? "" : result.fault.message).toContain(message);
});
