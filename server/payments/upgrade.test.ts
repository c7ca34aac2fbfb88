// Rows as earlier versions derived them: the migration brings them in line, so that the proof holds after an upgrade.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { eq } from "drizzle-orm";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { sqlitePath } from "@/db/sqlite";
import { jobs, payments } from "@/db/tables";
import { runJobs } from "@/server/testing/jobs";
import { create, expectSoundLedger } from "@/server/testing/money";
import { ask, card, paymentRow, payWith } from "@/server/testing/payer";
import { openWorld, type TestUser, type World } from "@/server/testing/world";
import { capturePayment } from "./capture";
import { refundPayment } from "./refund";
import type { PaymentRow } from "./store";

let world: World;
let member: TestUser;
beforeEach(async () => {
  world = await openWorld();
  member = (await world.organization()).member;
});
afterEach(() => world.close());

/** Applies the migration again, as to a database that an earlier version has filled. */
async function migrate(): Promise<void> {
  const path = join(process.cwd(), "db/migrations", dialect, "0011_refresh_derived_payments.sql");
  const text = await readFile(path, "utf8");
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

/** A request for 12.50 of which 4 were paid offline and 1 was refunded. */
async function partlyRefunded(expiresAt?: number) {
  const expires_at = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
  const { payment, token } = await ask(world, member.actor, { expires_at });
  const { payment_id } = payment;
  await create(world, member.actor, { type: "payment", payment_id, amount: 400, currency: "EUR" });
  await world.call(refundPayment, member.actor, { payment_id, amount: 100 });
  return { id: payment_id, token };
}

it("forgets the end of an authorization that was captured", async () => {
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

it("shows a confirmation that a refund had hidden, and still expires the request at its time", async () => {
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

it("ends a request that a refund had kept open beyond its time", async () => {
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
