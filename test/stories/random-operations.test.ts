// Random operations of every kind, each sent twice, some concurrently: the ledger stays sound.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCheckpoint } from "@/server/domains/ledger/checkpoint";
import { Failure } from "@/server/kit/errors";
import { cancelRequest } from "@/test/merchant";
import { type CreateInput, create, expectSoundLedger } from "@/test/money";
import { ask, card, payWith, transactionsOf } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "100000", PAY_FAILURES_PER_LINK: "100000" });
});
afterAll(() => world.close());

type Step =
  | { do: "payment" | "credit" | "in" | "out" | "transfer"; amount: number }
  | { do: "refund"; which: number; amount: number }
  | { do: "link"; capture: "automatic" | "manual"; number: string }
  | { do: "cancel"; which: number };

const amount = fc.integer({ min: 1, max: 2000 });
const which = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("payment", "credit", "in", "out", "transfer"), amount }),
  fc.record({ do: fc.constant("refund"), which, amount }),
  fc.record({
    do: fc.constant("link"),
    capture: fc.constantFrom("automatic", "manual"),
    // Accepted and declined.
    number: fc.constantFrom("4242424242424242", "4000000000000002"),
  }),
  fc.record({ do: fc.constant("cancel"), which }),
);

/** Objects created so far in a run. */
interface Made {
  acme: TestOrganization;
  payments: string[];
  requests: string[];
}

/** Treats a refusal as an answer. Only an internal error fails the test. */
async function answered<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return null;
    throw error;
  }
}

const pick = (from: readonly string[], which: number) => from[which % Math.max(1, from.length)];

async function run(one: Step, made: Made): Promise<void> {
  if (one.do === "link") return payByLink(one, made);
  if (one.do === "cancel") {
    const paymentId = pick(made.requests, one.which);
    if (paymentId) await answered(cancelRequest(world, made.acme.member.actor, paymentId));
    return;
  }
  const input = inputOf(one, made);
  if (!input) return;
  // The same request twice, concurrently and with one key, has one effect.
  const request = { idempotencyKey: world.id("req") };
  const both = [0, 1].map(() => answered(create(world, made.acme.admin.actor, input, request)));
  const ids = (await Promise.all(both)).flatMap((answer) => (answer ? [answer.transaction_id] : []));
  expect(new Set(ids).size).toBeLessThanOrEqual(1);
  if (input.type === "payment") made.payments.push(...ids.slice(0, 1));
}

async function payByLink(one: Extract<Step, { do: "link" }>, { acme, requests, payments }: Made): Promise<void> {
  const { payment, token } = await ask(world, acme.member.actor, { capture_method: one.capture });
  await payWith(world, token, card(one.number));
  requests.push(payment.payment_id);
  payments.push(...(await transactionsOf(world, payment.payment_id)).map((row) => row.id));
}

function inputOf(one: Exclude<Step, { do: "link" | "cancel" }>, { acme, payments }: Made): CreateInput | null {
  const { amount } = one;
  const common = { account_id: acme.member.accountId, amount, currency: "EUR" };
  switch (one.do) {
    case "payment":
    case "credit":
      return { type: one.do, ...common };
    case "in":
    case "out":
      return { type: "adjustment", direction: one.do, reason: "correction", ...common };
    case "transfer":
      return { type: "transfer", ...common, destination_account_id: acme.other.accountId };
    case "refund": {
      const parent = pick(payments, one.which);
      return parent ? { type: "refund", parent_transaction_id: parent, amount, account_id: common.account_id } : null;
    }
  }
}

const settings = { numRuns: 12, interruptAfterTimeLimit: 8_000 };

describe("random operations", () => {
  it("leave a sound ledger", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 }),
      async (batches) => {
        const made: Made = { acme: await world.organization(), payments: [], requests: [] };
        for (const batch of batches) {
          world.clock.advance(1000);
          await Promise.all(batch.map((one) => run(one, made)));
        }
        await writeCheckpoint(world.runtime);
        await expectSoundLedger(world);
      },
    );
    await fc.assert(property, settings);
  }, 30_000);
});
