// Captures, cancellations and refunds whose provider call breaks before or after its effect, with an Idempotency-Key.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CutCalls, cases } from "@/test/cut-calls";
import { endKeyLeases } from "@/test/key-leases";
import { ask, payWith, type RequestFields } from "@/test/payer";
import type { ProviderCall } from "@/test/provider-faults";
import { refusalOf, type World } from "@/test/world";
import { cancelPayment } from "./operations/cancel";
import { capturePayment } from "./operations/capture";
import { refundPayment } from "./operations/refund";

let calls: CutCalls;
beforeAll(async () => {
  calls = await CutCalls.open();
});
afterEach(() => calls.check());
afterAll(() => calls.close());

const newRequest = (more: RequestFields = {}) => ask(calls.world, calls.acme.member.actor, more);

/** What happens first after the cut: a run of the worker, or the caller's retry with the key. */
const everyCase = cases.flatMap((one) => [
  { ...one, first: "worker" as const },
  { ...one, first: "caller" as const },
]);

/** Makes a call with a key, cuts it, and retries it: both get the same answer. */
async function cutAndRetry<T>(
  name: ProviderCall,
  one: (typeof everyCase)[number],
  call: (from: World) => Promise<T>,
): Promise<T> {
  const first = await calls.cutting(name, one, () => call(calls.world));
  if (first === null) expect(await refusalOf(call(calls.later))).toBe("idempotency_key_in_use");
  if (one.first === "worker") await calls.resolve();
  await endKeyLeases(calls.later);
  const again = await call(calls.later);
  if (first !== null) expect(again).toEqual(first);
  await calls.resolve();
  expect(await call(calls.later)).toEqual(again);
  return again;
}

let keys = 0;
const keyed = () => ({ idempotencyKey: `key ${++keys}` });

/** A payment request with an open authorization hold. */
async function heldRequest(): Promise<string> {
  const { payment, token } = await newRequest({ capture_method: "manual" });
  await payWith(calls.world, token);
  return payment.payment_id;
}

describe.each(everyCase)(
  "cut by $cut $moment its effect, when the provider's event $event, and the $first comes first,",
  (one) => {
    it.each([undefined, 450])("a capture of %s is carried out once", async (amount) => {
      const payment_id = await heldRequest();
      const key = keyed();
      await cutAndRetry("capture", one, (from) =>
        from.call(capturePayment, calls.acme.member.actor, { payment_id, amount }, key),
      );
      expect(await calls.found(payment_id)).toEqual({
        request: "paid",
        transaction: "succeeded",
        captured: amount ?? 1250,
        journals: ["authorization_opened", "payment_captured"],
      });
      await calls.expectNothingLeft(payment_id);
    });

    it("a cancellation releases the hold once", async () => {
      const payment_id = await heldRequest();
      const key = keyed();
      const answer = await cutAndRetry("cancel", one, (from) =>
        from.call(cancelPayment, calls.acme.member.actor, { payment_id }, key),
      );
      expect(answer.status).toBe("canceled");
      expect(await calls.found(payment_id)).toEqual({
        request: "canceled",
        transaction: "canceled",
        captured: 0,
        journals: ["authorization_opened", "authorization_released"],
      });
      await calls.expectNothingLeft(payment_id);
    });

    it.each([undefined, 450])("a refund of %s is made once", async (amount) => {
      const { payment, token } = await newRequest();
      await payWith(calls.world, token);
      const { payment_id } = payment;
      const key = keyed();
      await cutAndRetry("refund", one, (from) =>
        from.call(refundPayment, calls.acme.member.actor, { payment_id, amount }, key),
      );
      expect(await calls.found(payment_id, "refund")).toEqual({
        request: amount === undefined ? "refunded" : "partially_refunded",
        transaction: "succeeded",
        captured: 0,
        journals: ["refund_created", "refund_succeeded"],
      });
      await calls.expectNothingLeft(payment_id);
    });
  },
);
