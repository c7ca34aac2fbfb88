// POST /v1/sandbox/payments/{payment_id}/simulate: brings an event of the sandbox provider about. And GET
// of its path `events`: which of them fit now.
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { isUnderWay } from "@/server/domains/jobs/find-store";
import { keyOf } from "@/server/domains/jobs/queue";
import { runNow } from "@/server/domains/jobs/runner";
import { timeOf } from "@/server/domains/organizations/time";
import { linkSecret } from "@/server/domains/payments/link-secret";
import { payment, paymentId } from "@/server/domains/payments/schema";
import { shownPayment } from "@/server/domains/payments/shown";
import { findPayment, lockPayment } from "@/server/domains/payments/store";
import { type SimulatedEvent, simulatedEvents } from "@/server/domains/providers/sandbox-events";
import { idOut } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { type Intent, operation, saga } from "@/server/kit/operation";
import { assertSandbox } from "../clock";
import { eventTable, realRuntime } from "../events";
import { bringEvent, fittingEvents } from "../simulated";

/** How long a call waits before it asks again whether a worker has handled the event, in milliseconds. */
const pollMs = 50;

/** What each event needs. */
const needs: Readonly<Record<SimulatedEvent, string>> = {
  authorize: "`authorize` needs a payment with manual capture that waits for its confirmation or its provider.",
  capture:
    "`capture` needs an authorization that has not lapsed, or a payment with automatic capture that waits for its " +
    "confirmation or its provider.",
  decline: "`decline` needs a payment that waits for its confirmation or its provider, which has not taken it yet.",
  settle: "`settle` needs a payment or a refund that waits for its confirmation or its provider.",
  refund_fail: "`refund_fail` needs a refund at the provider that is pending or has succeeded.",
  dispute: "`dispute` needs a card payment that was never disputed, and that was not refunded in full.",
  dispute_won: "`dispute_won` needs an open dispute.",
  dispute_lost: "`dispute_lost` needs an open dispute.",
};

interface Simulation extends Intent {
  transaction: string;
}

export const simulateEvent = saga({
  id: "sandbox.simulate",
  summary: "Simulate an event of the provider",
  description:
    "The sandbox provider changes the payment or refund and sends the event about it, which is handled like every other. " +
    "`authorize`, `capture` and `decline` decide about a payment that waits for its confirmation or its provider; " +
    "`capture` also takes an open authorization in full, unless its capture was decided before; then `settle` carries " +
    "that out. `settle` brings the outcome that a payment or refund waits for, as its test card determines. " +
    "`refund_fail` makes a refund fail: one that is pending, else the latest that has succeeded; calling it again takes " +
    "the next. `dispute` opens a dispute of all that was captured and not refunded, and `dispute_won` and " +
    "`dispute_lost` decide it. The answer shows the payment once the event is handled, or as it is after " +
    `${limits.sandboxClock.waitMs / 1000} seconds. For a live organization this is an \`unknown_path\`.`,
  access: rules["sandbox.events"],
  time: "organization",
  rest: { method: "POST", path: "/v1/sandbox/payments/{payment_id}/simulate", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      event: z.enum(simulatedEvents).meta({ description: "What happens at the provider.", example: "settle" }),
    })
    .meta({ id: "SimulateEvent" }),
  output: payment,
  secret: linkSecret,
  errors: { insufficient_permissions: 400, payment_not_found: 400, event_not_possible: 400 },
  async begin({ ctx, input: { payment_id, event }, fail }): Promise<{ intent: Simulation }> {
    await assertSandbox(ctx);
    const seen = await findPayment(ctx.db, ctx.scope, payment_id);
    const row = (seen && (await lockPayment(ctx.db, seen.id))) ?? fail("payment_not_found");
    const transaction = (await bringEvent(ctx, row, event)) ?? fail("event_not_possible", needs[event]);
    ctx.audit({ target: row.id, detail: { event, transaction } });
    return { intent: { transaction } };
  },
  /** Handles the event now. If a worker has it, or an advance of the clock comes first, waits for that. */
  async perform({ ctx, intent: { transaction } }): Promise<void> {
    const runtime = realRuntime(ctx.runtime);
    const until = performance.now() + limits.sandboxClock.waitMs;
    do {
      if (await runNow(runtime, "sandbox.event", transaction, eventTable)) continue;
      const now = await timeOf(runtime, ctx.db, ctx.scope.organizationId);
      if (!(await isUnderWay(ctx.db, keyOf("sandbox.event", transaction), now))) return;
      await sleep(pollMs);
    } while (performance.now() < until && !ctx.request.signal.aborted);
  },
  async finish({ ctx, input, intent: { transaction } }) {
    const row = await lockPayment(ctx.db, input.payment_id);
    if (!row) throw new Error(`The payment request ${input.payment_id} no longer exists.`);
    ctx.audit({ target: row.id, detail: { transaction, status: row.status } });
    return shownPayment(ctx, row);
  },
});

export const sandboxEvents = operation({
  id: "sandbox.events",
  summary: "List the events that can be simulated for a payment request now",
  description: "Each can be brought about by POST to its path `simulate`. Empty if none fits.",
  access: rules["sandbox.events"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/sandbox/payments/{payment_id}/events", extension: true },
  input: z.strictObject({ payment_id: paymentId }),
  output: z
    .strictObject({
      payment_id: idOut("pay", "The payment request."),
      events: z.array(z.enum(simulatedEvents)).meta({ description: "What can happen at the provider now." }),
    })
    .meta({ id: "SandboxEventList" }),
  errors: { insufficient_permissions: 400, payment_not_found: 400 },
  async run({ ctx, input, fail }) {
    await assertSandbox(ctx);
    const row = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    return { payment_id: row.id, events: await fittingEvents(ctx.db, row, ctx.now) };
  },
});
