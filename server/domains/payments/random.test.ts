// Random histories of payment requests: rows, events and ledger always agree.
import { eq, inArray } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { jobs } from "@/db/tables";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { paymentRow, transactionsOf } from "@/test/payer";
import { PaymentLife } from "@/test/payment-life";
import { steps } from "@/test/payment-steps";
import { expectOneTruth } from "@/test/payment-truth";
import { arriveLate } from "@/test/provider-faults";
import { openWorld, type TestOrganization, type World } from "@/test/world";

import { defaultExpiryMs } from "./rules";

vi.mock("@/server/domains/providers/sandbox", async (original) => {
  const { withFaults } = await import("@/test/provider-faults");
  return withFaults(await original());
});
vi.mock("@/server/domains/providers/in-time", async (original) => {
  const { withShortTimeouts } = await import("@/test/provider-faults");
  return withShortTimeouts(await original());
});

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "100000", PAY_FAILURES_PER_LINK: "100000" });
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

/** Delivers everything, passes every deadline, and runs the worker until nothing is left to do. */
async function finishEverything(): Promise<void> {
  await arriveLate();
  for (const ms of [0, 31_000, 16 * 60_000, 8 * 86_400_000, 3_600_000]) {
    world.clock.advance(ms);
    await runJobs(world);
  }
}

/** Rows, events and ledger agree. The payer is charged no more than was due unless the provider broke a guarantee. */
async function expectTruth(life: PaymentLife): Promise<void> {
  await expectOneTruth(world, life.id);
  const { amountOverpaid } = await paymentRow(world, life.id);
  expect(amountOverpaid > 0 && !life.hasBrokenPromise).toBe(false);
}

/** Our rows agree with the provider about every charge and refund, and no job of theirs is left. */
async function expectAgreement(life: PaymentLife): Promise<void> {
  const rows = await life.atProvider();
  let taken = await life.receivedOffline();
  for (const row of rows) {
    const reported = await life.resultOf(row.id);
    if (row.type === "refund") expect(row.status).toBe(reported?.status);
    else expect(row.amountCaptured).toBe(reported?.kind === "charge" ? reported.amountCaptured : 0);
    expect(["pending", "processing", "requires_action", "authorized"]).not.toContain(row.status);
    expect(row.providerReference).toBe(reported?.reference ?? null);
    taken += reported?.kind === "charge" ? reported.amountCaptured : 0;
  }
  expect((await paymentRow(world, life.id)).amountPaid).toBe(taken);
  const ids = rows.map((row) => row.id);
  const { read } = world.runtime.db;
  expect(await read.$count(jobs, inArray(jobs.objectId, ids))).toBe(0);
  expect(await read.$count(jobs, eq(jobs.status, "dead"))).toBe(0);
}

/** The current rows of the payment request and its transactions. */
async function rowsOf(paymentId: string) {
  const { version: _, updatedAt: __, ...request } = await paymentRow(world, paymentId);
  return { request, transactions: await transactionsOf(world, paymentId) };
}

const shuffled = <T>(items: T[], random: fc.Stream<number>): T[] =>
  items
    .map((item) => ({ item, at: random.next().value ?? 0 }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

it("payment requests stay consistent through random histories, and agree with the provider in the end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("automatic", "manual"),
      fc.constantFrom(20_000, 600_000, defaultExpiryMs),
      steps,
      fc.infiniteStream(fc.nat()),
      async (capture_method, lifetimeMs, taken, random) => {
        world.clock.advance(1000);
        const expires_at = new Date(world.clock.now() + lifetimeMs).toISOString();
        const owner = await world.user(acme.id);
        const life = await PaymentLife.begin(world, owner, { capture_method, expires_at });
        for (const one of taken) {
          world.clock.advance(1);
          await life.take(one);
          await expectTruth(life);
        }
        await finishEverything();
        await expectTruth(life);
        await expectAgreement(life);
        await life.reportAll((reports) => reports);
        const before = await rowsOf(life.id);
        await life.reportAll((reports) => shuffled([...reports, ...reports], random));
        expect(await rowsOf(life.id)).toEqual(before);
      },
    ),
    { numRuns: 100 },
  );
}, 300_000);
