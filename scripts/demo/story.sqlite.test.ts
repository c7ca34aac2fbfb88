// The demo's story: carried out without a refusal, the same each time, and sound.
import { expect, test } from "vitest";
import { paymentStatuses, subscriptionStatuses } from "@/db/schema/values";
import { accounts, payments, subscriptions, transactions, users } from "@/db/tables";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { parseEnv } from "@/server/process/env";
import { createTestDatabase } from "@/test/database";
import { openDemo } from "./open";

const end = Date.UTC(2026, 10, 20, 12);

/** Carries out some days, and returns what there is afterwards, in a fixed order. */
async function told() {
  const database = await createTestDatabase({ migrated: true });
  const env = parseEnv({
    ...{ DATABASE_URL: database.url, SECRET_KEY: Buffer.alloc(32, 7).toString("base64"), LOG_LEVEL: "silent" },
    ...{ RATE_LIMIT: "0", ADMIN_EMAIL: "ada@example.com", ADMIN_PASSWORD: "a long enough passphrase" },
  });
  const { runtime, fill } = await openDemo(env, { days: 15, end });
  await fill();
  const { read } = runtime.db;
  const { createdAt: at, type, amount, currency, status, disputeStatus: dispute } = payments;
  const requests = await read.select({ at, type, amount, currency, status, dispute }).from(payments);
  const shops = (await read.select({ status: accounts.status }).from(accounts)).map(({ status }) => status).sort();
  const staff = (await read.select({ status: users.status }).from(users)).map(({ status }) => status).sort();
  const movements = await read.select({ type: transactions.type, status: transactions.status }).from(transactions);
  const renewed = await read
    .select({ status: subscriptions.status, currency: subscriptions.currency, done: subscriptions.cyclesDone })
    .from(subscriptions);
  const proof = await verifyLedger(database.url, runtime.keys);
  await runtime.close();
  await database.drop();
  const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
  return { requests: inOrder(requests), subscriptions: inOrder(renewed), movements, shops, staff, proof };
}

test("two weeks of the demo are sound, contain what a dashboard shows, and are the same each time", {
  timeout: 120_000,
}, async () => {
  const [one, other] = [await told(), await told()];
  expect(one.proof).toMatchObject({ ok: true });
  expect(other.requests).toEqual(one.requests);
  expect(other.subscriptions).toEqual(one.subscriptions);
  const text = one.requests.join("\n");
  for (const currency of ["EUR", "JPY", "KWD"]) expect(text).toContain(`"${currency}"`);
  for (const status of paymentStatuses) expect(text).toContain(`"status":"${status}"`);
  for (const dispute of ["open", "lost", "won"]) expect(text).toContain(`"dispute":"${dispute}"`);
  expect(text).toMatch(/"type":"invoice".*"status":"draft"/);
  const begun = one.subscriptions.join("\n");
  for (const currency of ["EUR", "JPY", "KWD"]) expect(begun).toContain(`"${currency}"`);
  for (const status of subscriptionStatuses) expect(begun).toContain(`"status":"${status}"`);
  expect(begun).toMatch(/"status":"active","currency":"EUR","done":[3-9]/);
  expect([one.shops, one.staff]).toEqual([other.shops, other.staff]);
  expect([new Set(one.shops), new Set(one.staff)]).toEqual([
    new Set(["open", "closed"]),
    new Set(["active", "removed"]),
  ]);
  const ended = new Set(one.movements.map(({ status }) => status));
  for (const status of ["succeeded", "failed", "canceled", "authorized"]) expect(ended).toContain(status);
  expect(new Set(one.movements.map(({ type }) => type))).toEqual(
    new Set(["payment", "refund", "transfer", "credit", "adjustment"]),
  );
});
