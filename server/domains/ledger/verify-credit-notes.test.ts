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

const changed = (field: string, value: string) =>
  dialect === "sqlite"
    ? `json_set(record, '$.${field}', ${value})`
    : `jsonb_set(record::jsonb, '{${field}}', to_jsonb(${value}${value.startsWith("'") ? "::text" : ""}))::text::json`;

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
  [
    "another number",
    () => raw.run(`update credit_notes set record = ${changed("number", "'7'")} where ${isThird}`),
    "its invoice do not agree",
  ],
  [
    "other taxes",
    () => raw.run(`update credit_notes set record = ${changed("tax_amount", "1")} where ${isThird}`),
    "its invoice do not agree",
  ],
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
        `update credit_notes set sequence = 1, record = ${changed("number", "'CN-2026-0001'")} where ${isThird}`,
      );
      await raw.run("delete from credit_notes where sequence = 9");
      await raw.run("update credit_note_series set last_number = 2");
    },
    "A refund of an invoice",
  ],
  [
    "more than the invoice",
    async () => {
      const gross = changed("gross_amount", "1251");
      await raw.run(`update credit_notes set amount = 1251, record = ${gross} where ${isThird}`);
      await raw.run(`update credit_notes set record = ${changed("net_amount", "1251")} where ${isThird}`);
    },
    "exceed it",
  ],
] as const)("names %s", async (_name, change, message) => {
  await change();
  const result = await verify();
  expect(result.ok ? "nothing" : result.fault).toMatchObject({ check: "credit_note" });
  expect(result.ok ? "" : result.fault.message).toContain(message);
});
