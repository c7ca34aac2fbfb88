// Rows as earlier versions derived them: the migration updates them, so that all invariants hold after an upgrade.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { eq } from "drizzle-orm";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { sqlitePath } from "@/db/sqlite";
import { jobs, payments, transactions } from "@/db/tables";
import { runJobs } from "@/test/jobs";
import { create, expectSoundLedger } from "@/test/money";
import { ask, card, paymentRow, payWith, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, type TestUser, type World } from "@/test/world";
import { capturePayment } from "./operations/capture";
import { refundPayment } from "./operations/refund";
import type { PaymentRow } from "./store";

let world: World;
let member: TestUser;
beforeEach(async () => {
  world = await openWorld();
  member = (await world.organization()).member;
});
afterEach(() => world.close());

/** Runs the migration's data changes again, as on a database that an earlier version has filled. */
async function migrate(name = "0011_refresh_derived_payments"): Promise<void> {
  const path = join(process.cwd(), "db/migrations", dialect, `${name}.sql`);
  const statements = (await readFile(path, "utf8")).split("--> statement-breakpoint");
  const text = statements.filter((one) => !one.trim().startsWith("CREATE INDEX")).join("");
  const { url } = world.database;
  if (dialect === "sqlite") {
    const connection = new BetterSqlite(sqlitePath(url));
    connection.exec(text);
    connection.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

const writeRow = (id: string, change: Partial<PaymentRow>): Promise<void> =>
  world.runtime.db.write(async (tx) => void (await tx.update(payments).set(change).where(eq(payments.id, id))));

/** A payment request for 12.50 of which 4 were paid offline and 1 was refunded. */
async function partlyRefunded(expiresAt?: number) {
  const expires_at = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
  const { payment, token } = await ask(world, member.actor, { expires_at });
  const { payment_id } = payment;
  await create(world, member.actor, { type: "payment", payment_id, amount: 400, currency: "EUR" });
  await world.call(refundPayment, member.actor, { payment_id, amount: 100 });
  return { id: payment_id, token };
}

it("clears the end of an authorization that was captured", async () => {
  const { payment, token } = await ask(world, member.actor, { capture_method: "manual" });
  const { payment_id } = payment;
  await payWith(world, token);
  const { captureBefore } = await paymentRow(world, payment_id);
  await world.call(capturePayment, member.actor, { payment_id });
  await writeRow(payment_id, { captureBefore });
  await expect(expectSoundLedger(world)).rejects.toThrow("capture_before");
  await migrate();
  await expectSoundLedger(world);
});

it("keeps the end of an authorization that is open", async () => {
  const { payment, token } = await ask(world, member.actor, { capture_method: "manual" });
  await payWith(world, token);
  const before = await paymentRow(world, payment.payment_id);
  await migrate();
  expect(await paymentRow(world, payment.payment_id)).toEqual(before);
  expect(before.captureBefore).not.toBeNull();
});

it("shows a confirmation that a refund had hidden, and still expires the payment request on time", async () => {
  const expiresAt = world.clock.now() + 3_600_000;
  const { id, token } = await partlyRefunded(expiresAt);
  await payWith(world, token, card("4000002760003184"));
  expect((await paymentRow(world, id)).status).toBe("requires_action");
  await writeRow(id, { status: "partially_refunded", actionUrl: null });
  await expect(expectSoundLedger(world)).rejects.toThrow("status");
  await migrate();
  await runJobs(world);
  expect(await paymentRow(world, id)).toMatchObject({ status: "requires_action", actionUrl: expect.any(String) });
  await expectSoundLedger(world);
  const [job] = await world.runtime.db.read
    .select()
    .from(jobs)
    .where(eq(jobs.key, `payments.expire:${id}`));
  expect(job?.runAt).toBe(expiresAt);
});

it("expires a payment request that a refund had kept open beyond its expiry", async () => {
  const { id } = await partlyRefunded(world.clock.now() + 1000);
  await writeRow(id, { updatedAt: world.clock.now() + 2000 });
  world.clock.advance(3000);
  await world.runtime.db.write(async (tx) => void (await tx.delete(jobs).where(eq(jobs.objectId, id))));
  await expect(expectSoundLedger(world)).rejects.toThrow("status");
  await migrate();
  await runJobs(world);
  expect((await paymentRow(world, id)).status).toBe("expired");
  await expectSoundLedger(world);
});

/** A payment request whose hold was larger than its capture, since a part was paid offline meanwhile. */
async function capturedOfLarger() {
  const { payment, token } = await ask(world, member.actor, { capture_method: "manual" });
  const { payment_id } = payment;
  await payWith(world, token);
  const [hold] = await transactionsOf(world, payment_id);
  const isHold = eq(transactions.id, hold?.id ?? "");
  // Hides the hold, so that today's rules accept the offline payment as older versions did.
  const hide = (status: "authorized" | "failed") =>
    world.runtime.db.write(async (tx) => void (await tx.update(transactions).set({ status }).where(isHold)));
  await hide("failed");
  await create(world, member.actor, { type: "payment", payment_id, amount: 400, currency: "EUR" });
  await hide("authorized");
  world.clock.advance(1000);
  await world.call(capturePayment, member.actor, { payment_id });
  return payment_id;
}

it("shows no surplus if only the due part of a larger authorization was captured", async () => {
  const id = await capturedOfLarger();
  expect(await transactionsOf(world, id)).toContainEqual(
    expect.objectContaining({ provider: "sandbox", amountCaptured: 850, amountReleased: 400 }),
  );
  const right = { status: "paid", amountPaid: 1250, amountWaived: 0, amountOverpaid: 0 };
  expect(await paymentRow(world, id)).toMatchObject(right);
  await expectOneTruth(world, id);
  await expectSoundLedger(world);
  await writeRow(id, { amountWaived: 400, amountOverpaid: 400 });
  await expect(expectSoundLedger(world)).rejects.toThrow("amount_waived");
  await migrate("0013_expired_early");
  await runJobs(world);
  expect(await paymentRow(world, id)).toMatchObject(right);
  await expectSoundLedger(world);
});
