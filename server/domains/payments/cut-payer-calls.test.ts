// A payer's calls whose provider call breaks before or after its effect: one run of the worker settles the true result.
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sandboxOperations } from "@/db/tables";
import { CutCalls, cases, referenceIn } from "@/test/cut-calls";
import {
  anyone,
  ask,
  card,
  formToken,
  paymentRow,
  payWith,
  type RequestFields,
  submit,
  transactionsOf,
} from "@/test/payer";
import { arriveLate, planFault } from "@/test/provider-faults";
import { answerChallenge } from "./operations/challenge";
import { leaveChallenge } from "./operations/leave-challenge";

let calls: CutCalls;
beforeAll(async () => {
  calls = await CutCalls.open();
});
afterEach(() => calls.check());
afterAll(() => calls.close());

const newRequest = (more: RequestFields = {}) => ask(calls.world, calls.acme.member.actor, more);
const challenged = card("4000002500003155");

describe.each(cases)("a start cut by $cut $moment its effect, when the provider's event $event", (one) => {
  it("is a payment if the provider has taken the money, and a failed attempt if not", async () => {
    const { payment, token } = await newRequest();
    const form = await formToken(calls.world, token);
    await calls.cutting("start", one, () => submit(calls.world, token, form));
    expect((await paymentRow(calls.later, payment.payment_id)).status).toBe("processing");
    await calls.resolve();
    const after = await calls.found(payment.payment_id);
    if (one.moment === "after") {
      expect(after).toEqual({
        request: "paid",
        transaction: "succeeded",
        captured: 1250,
        journals: ["payment_captured"],
      });
    } else {
      expect(after).toEqual({ request: "pending", transaction: "failed", captured: 0, journals: [] });
    }
    await calls.expectNothingLeft(payment.payment_id);
    // The same form makes no second attempt; a new form does.
    await submit(calls.later, token, form);
    await calls.found(payment.payment_id);
    if (one.moment === "before") {
      await payWith(calls.later, token);
      expect((await paymentRow(calls.later, payment.payment_id)).status).toBe("paid");
    }
  });

  it("holds the money once if capture is manual", async () => {
    const { payment, token } = await newRequest({ capture_method: "manual" });
    const form = await formToken(calls.world, token);
    await calls.cutting("start", one, () => submit(calls.world, token, form));
    await calls.resolve();
    const after = await calls.found(payment.payment_id);
    if (one.moment === "before")
      expect(after).toMatchObject({ request: "pending", transaction: "failed", journals: [] });
    else expect(after).toMatchObject({ request: "authorized", journals: ["authorization_opened"] });
  });

  it("can be confirmed if the provider requires it", async () => {
    const { payment, token } = await newRequest();
    const form = await formToken(calls.world, token);
    await calls.cutting("start", one, () => submit(calls.world, token, form, challenged));
    await calls.resolve();
    const after = await calls.found(payment.payment_id);
    if (one.moment === "before") return expect(after).toMatchObject({ request: "pending", transaction: "failed" });
    expect(after).toMatchObject({ request: "requires_action", transaction: "requires_action", journals: [] });
    const { actionUrl } = await paymentRow(calls.later, payment.payment_id);
    await calls.later.call(answerChallenge, anyone, { reference: referenceIn(actionUrl), answer: "complete" });
    await calls.resolve();
    expect(await calls.found(payment.payment_id)).toMatchObject({ request: "paid", journals: ["payment_captured"] });
    await calls.expectNothingLeft(payment.payment_id);
  });
});

/** A payment request that waits for the payer's confirmation, and the charge's reference. */
async function challengedRequest(more: RequestFields = {}) {
  const { payment, token } = await newRequest(more);
  const { action_url } = await payWith(calls.world, token, challenged);
  return { id: payment.payment_id, token, reference: referenceIn(action_url) };
}

describe.each(cases)(
  "an answered confirmation cut by $cut $moment its effect, when the provider's event $event",
  (one) => {
    it.each(["automatic", "manual"] as const)("counts if it has arrived (%s capture)", async (capture_method) => {
      const { id, reference } = await challengedRequest({ capture_method });
      await calls.cutting("answerChallenge", one, () =>
        calls.world.call(answerChallenge, anyone, { reference, answer: "complete" }),
      );
      await calls.resolve();
      if (one.moment === "before") {
        expect(await calls.found(id)).toMatchObject({ request: "requires_action", transaction: "requires_action" });
        await calls.later.call(answerChallenge, anyone, { reference, answer: "complete" });
      } else if (one.event === "is lost") {
        await calls.resolve(15 * 60_000);
      }
      const after = await calls.found(id);
      if (capture_method === "manual") expect(after).toMatchObject({ request: "authorized", captured: 0 });
      else expect(after).toMatchObject({ request: "paid", journals: ["payment_captured"] });
    });
  },
);

describe.each(cases)(
  "leaving a confirmation cut by $cut $moment its effect, when the provider's event $event",
  (one) => {
    it("ends the attempt, at its deadline at the latest", async () => {
      const { id, token, reference } = await challengedRequest();
      await calls.cutting("cancel", one, () => calls.world.call(leaveChallenge, anyone, { token }));
      await calls.resolve();
      if (one.moment === "before") {
        expect(await calls.found(id)).toMatchObject({ request: "requires_action", transaction: "requires_action" });
        await calls.resolve(15 * 60_000);
      }
      expect(await calls.found(id)).toEqual({ request: "pending", transaction: "failed", captured: 0, journals: [] });
      await calls.expectNothingLeft(id);
      await calls.later.call(answerChallenge, anyone, { reference, answer: "complete" });
      expect(await calls.found(id)).toMatchObject({ request: "pending", transaction: "failed" });
    });
  },
);

describe("a start that arrives after its attempt was given up", () => {
  const late = { cut: "silence", moment: "late", event: "is sent" } as const;

  /** A payment request whose attempt was given up before it arrived. A forgetful provider cannot give a charge up. */
  async function tooLate(more: RequestFields, typed?: ReturnType<typeof card>, isForgetful = false) {
    const { payment, token } = await newRequest(more);
    const { payment_id: id } = payment;
    const form = await formToken(calls.world, token);
    await calls.cutting("start", late, () => submit(calls.world, token, form, typed));
    if (isForgetful) planFault("giveUp", "reset", "unkept");
    await calls.resolve();
    expect(await calls.found(id)).toMatchObject({ request: "pending", transaction: "failed" });
    expect((await paymentRow(calls.later, id)).lastError?.code).toBe("not_received");
    const arrive = async () => {
      await arriveLate();
      await calls.resolve();
    };
    return { id, token, arrive };
  }

  it.each([
    ["automatic", undefined],
    ["manual", undefined],
    ["automatic", challenged],
  ] as const)("takes nothing where the provider knows that it was given up (%s capture)", async (method, typed) => {
    const { id, token, arrive } = await tooLate({ capture_method: method }, typed);
    await arrive();
    expect(await calls.found(id)).toEqual({ request: "pending", transaction: "failed", captured: 0, journals: [] });
    await calls.expectNothingLeft(id);
    await payWith(calls.later, token);
    expect((await paymentRow(calls.later, id)).status).toBe(method === "manual" ? "authorized" : "paid");
    await arrive();
    expect(await paymentRow(calls.later, id)).toMatchObject({ amountOverpaid: 0 });
  });

  it("is a payment after all if the provider takes the money", async () => {
    const { id, arrive } = await tooLate({}, undefined, true);
    await arrive();
    expect(await calls.found(id)).toMatchObject({ request: "paid", transaction: "succeeded", captured: 1250 });
    await calls.expectNothingLeft(id);
  });

  it.each([
    ["holds the money", undefined],
    ["asks for a confirmation", challenged],
  ])("and %s after all is released at the provider, and the payment request can be paid", async (_, typed) => {
    const { id, token, arrive } = await tooLate({ capture_method: "manual" }, typed, true);
    await arrive();
    const [attempt] = await transactionsOf(calls.later, id);
    expect(await atProvider(attempt?.id)).toBe(typed ? "declined" : "canceled");
    expect(await calls.found(id)).toMatchObject({ request: "pending", captured: 0, journals: [] });
    await calls.expectNothingLeft(id);
    await payWith(calls.later, token);
    expect((await paymentRow(calls.later, id)).status).toBe("authorized");
  });

  /** The status of the sandbox's own charge. */
  async function atProvider(idempotencyKey = "") {
    const [row] = await calls.later.runtime.db.read
      .select({ status: sandboxOperations.status })
      .from(sandboxOperations)
      .where(eq(sandboxOperations.idempotencyKey, idempotencyKey));
    return row?.status;
  }
});
