// A finding about the proof: it passes papers whose number is not the one that they were given.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { cancelRequest } from "@/test/merchant";
import { ask } from "@/test/payer";
import { openRawAccess, type RawAccess } from "@/test/raw-access";
import { openWorld, type World } from "@/test/world";

let world: World;
let raw: RawAccess;
beforeAll(async () => {
  world = await openWorld();
  const { member } = await world.organization();
  const { payment } = await ask(world, member.actor, { type: "invoice" });
  await cancelRequest(world, member.actor, payment.payment_id);
  raw = await openRawAccess(world.database.url, ["invoices", "credit_notes", "payments"]);
});
afterEach(() => raw.restore());
afterAll(async () => {
  await raw.close();
  await world.close();
});

const numbered = (number: string) =>
  dialect === "sqlite"
    ? `json_set(record, '$.number', '${number}')`
    : `jsonb_set(record::jsonb, '{number}', to_jsonb('${number}'::text))::text::json`;
const isSound = async () => (await verifyLedger(world.database.url, world.runtime.keys)).ok;

it("8a. an invoice with number 1 does not say 11", async () => {
  expect(await isSound()).toBe(true);
  await raw.run(`update invoices set record = ${numbered("2026-0011")}`);
  await raw.run("update payments set invoice_number = '2026-0011'");
  expect(await isSound()).toBe(false);
});

it("8b. a credit note with number 1 does not say 991", async () => {
  await raw.run(`update credit_notes set record = ${numbered("CN-2026-0991")}`);
  expect(await isSound()).toBe(false);
});
