// Random lives of payment requests: whatever happens in whatever order, the sums, the statuses and the events agree.
import { and, asc, eq } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { events, transactions } from "@/db/tables";
import { inBackground } from "@/server/background";
import { Failure } from "@/server/kit/errors";
import { verifyLedger } from "@/server/ledger/verify";
import { runJobs } from "@/server/testing/jobs";
import { ask, card, formToken, goodCard, paymentRow, submit, transactionsOf } from "@/server/testing/payer";
import { openWorld, type TestOrganization, type World } from "@/server/testing/world";
import { createTransaction } from "@/server/transactions/create";
import { settle } from "@/server/transactions/settle";
import { cancelPayment } from "./cancel";
import { amountDue, derivePaymentStatus } from "./derive";
import type { ChargeResult } from "./providers/provider";
import { lostAnswerCode, troubledCard } from "./providers/test-cards";
import { next, type PaymentStatus } from "./rules";
import { partsOf } from "./store";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "100000", PAY_FAILURES_PER_LINK: "100000" });
  acme = await world.organization();
});
afterAll(() => world.close());

const cards = ["good", "declined", "stolen", "lost"] as const;

type Step =
  | { do: "pay"; with: (typeof cards)[number]; times: number }
  | { do: "record"; amount: number }
  | { do: "refund"; amount: number }
  | { do: "cancel" }
  | { do: "wait"; ms: number }
  | { do: "resolve" }
  | { do: "hear"; words: ("authorized" | "succeeded" | "declined" | "canceled" | "processing")[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("pay"),
      with: fc.constantFrom(...cards),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  fc.record({ do: fc.constant("record"), amount: fc.integer({ min: 1, max: 1250 }) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refund"), amount: fc.integer({ min: 1, max: 1250 }) }) },
  fc.record({ do: fc.constant("cancel") }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait"), ms: fc.constantFrom(1000, 40_000, 3_600_000, 8 * 86_400_000) }),
  },
  fc.record({ do: fc.constant("resolve") }),
  fc.record({
    do: fc.constant("hear"),
    words: fc.array(fc.constantFrom("authorized", "succeeded", "declined", "canceled", "processing"), { maxLength: 4 }),
  }),
);

const typedOf = (name: (typeof cards)[number]) =>
  ({
    good: goodCard,
    declined: card("4000000000000002"),
    stolen: card("4000000000009979"),
    lost: { card_number: troubledCard, expiry: "12/30", security_code: lostAnswerCode },
  })[name];

/** A refusal is an answer; anything else is a fault of ours. */
async function allowRefusal(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
  });
}

async function take(one: Step, payment_id: string, token: string): Promise<void> {
  const { actor } = acme.admin;
  switch (one.do) {
    case "pay": {
      const form = await formToken(world, token).catch(() => null);
      if (form === null) return;
      const sent = Array.from({ length: one.times }, () => submit(world, token, form, typedOf(one.with)));
      await Promise.all(sent.map(allowRefusal));
      return;
    }
    case "record": {
      const input = { type: "payment", amount: one.amount, currency: "EUR", payment_id } as const;
      return allowRefusal(world.call(createTransaction, actor, input));
    }
    case "refund": {
      const [parent] = await world.runtime.db.read
        .select({ id: transactions.id })
        .from(transactions)
        .where(and(eq(transactions.paymentId, payment_id), eq(transactions.type, "payment")));
      if (!parent) return;
      const input = { type: "refund", parent_transaction_id: parent.id, amount: one.amount } as const;
      return allowRefusal(world.call(createTransaction, actor, input));
    }
    case "cancel":
      return allowRefusal(world.call(cancelPayment, actor, { payment_id }));
    case "wait":
      return world.clock.advance(one.ms);
    case "resolve":
      return void (await runJobs(world));
    case "hear":
      return hear(one.words, payment_id);
  }
}

/** The provider tells of an attempt in any order and any number of times, and never of two ends that exclude each other. */
async function hear(words: ChargeResult["status"][], payment_id: string): Promise<void> {
  const attempts = await transactionsOf(world, payment_id);
  const attempt = attempts.find((row) => row.type === "payment" && row.provider !== null && row.status !== "failed");
  if (!attempt) return;
  const isTaken = attempt.amountCaptured > 0 || words.includes("succeeded");
  for (const status of words) {
    if (isTaken && (status === "declined" || status === "canceled")) continue;
    const result: ChargeResult = {
      kind: "charge",
      reference: attempt.providerReference ?? `heard_${attempt.id}`,
      status,
      amountCaptured: status === "succeeded" ? attempt.amount : 0,
      actionUrl: null,
      method: null,
      failure: status === "declined" ? { code: "card_declined", message: "No.", retryable: true } : null,
    };
    await inBackground(world.runtime, "test.hear", async (ctx) => {
      ctx.audit({ target: attempt.id, organizationId: attempt.organizationId });
      await settle(ctx, attempt.id, result);
    });
  }
}

async function checkEverything(payment_id: string): Promise<void> {
  const row = await paymentRow(world, payment_id);
  const parts = await world.runtime.db.write((tx) => partsOf(tx, payment_id));
  for (const part of parts) {
    const { amountAuthorized, amountCaptured, amountReleased, amountRefunded } = part;
    expect(amountRefunded).toBeLessThanOrEqual(amountCaptured);
    expect(amountCaptured).toBeLessThanOrEqual(amountAuthorized);
    const open = amountAuthorized - amountCaptured - amountReleased;
    if (part.status === "authorized") expect(open).toBeGreaterThan(0);
    else expect(open).toBe(0);
  }
  // Time that has passed since the last write is the reader's to add, so the status is compared as of that write.
  expect(derivePaymentStatus({ ...row, parts }, row.updatedAt)).toBe(row.status);
  if (row.amountPaid <= row.amount) expect(row.amountPaid + amountDue(row)).toBe(row.amount);
  const told = await world.runtime.db.read
    .select({ sequence: events.sequence, data: events.data })
    .from(events)
    .where(eq(events.objectId, payment_id))
    .orderBy(asc(events.sequence));
  expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, i) => i + 1));
  for (const { data } of told) {
    const { previous_status: from, status: to } = data as {
      previous_status: PaymentStatus | null;
      status: PaymentStatus;
    };
    if (from !== null) expect(next[from], `${from} to ${to}`).toContain(to);
  }
  expect(told.at(-1)?.data).toMatchObject({ status: row.status });
}

it("keeps sums, statuses and events in step through random lives", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("automatic", "manual"),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (capture_method, steps) => {
        world.clock.advance(1000);
        const { payment, token } = await ask(world, acme.member.actor, { capture_method });
        for (const one of steps) {
          world.clock.advance(1);
          await take(one, payment.payment_id, token);
          await checkEverything(payment.payment_id);
        }
      },
    ),
    { numRuns: 50 },
  );
  const report = await verifyLedger(world.runtime.env.databaseUrl, world.runtime.keys.all);
  expect(report.ok).toBe(true);
}, 120_000);
