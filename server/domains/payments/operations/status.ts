// GET /v1/payments/{payment_id}/status: the status of a payment request, at once or as soon as it changes.
import { createHash } from "node:crypto";
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { timeOf } from "@/server/domains/organizations/time";
import { watchCaller } from "@/server/domains/sessions/caller-watcher";
import { callerKey } from "@/server/fairness/places";
import type { ReadContext } from "@/server/kit/context";
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { watchPayment } from "../change-watcher";
import { presentState } from "../present";
import { paymentId, paymentState } from "../schema";
import { attemptsOf, findPayment, type PaymentRow, transactionIdsOfOne } from "../store";

type State = z.input<typeof paymentState>;

export const paymentStatus = operation({
  id: "payments.status",
  summary: "Check payment status",
  description:
    "With `wait`, the response is sent when the status changes, or after that many seconds. A change is a difference " +
    "from the `ETag` in `If-None-Match`, or else from the status when the HTTP request arrived. With `wait_for=final`, it " +
    "is sent once no attempt is under way and the status is none of `pending`, `requires_action` and `processing`, or " +
    "after `wait` with the status of then. At most " +
    `${limits.polls.perCaller} calls of a user or API key can wait at a time; further ones are answered at once, with ` +
    "`Retry-After`.",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  rest: {
    method: "GET",
    path: "/v1/payments/{payment_id}/status",
    etag,
    answerHeaders: { "Retry-After": "Seconds after which to ask again, if too many calls are already waiting." },
  },
  input: z.strictObject({
    payment_id: paymentId,
    wait: z.int().min(0).max(limits.waitSeconds).default(0).meta({ description: "Seconds to wait.", example: 30 }),
    wait_for: z.enum(["change", "final"]).default("change").meta({
      description: "What to wait for: the next change, or a status that no attempt is about to change.",
      example: "final",
    }),
  }),
  output: paymentState,
  errors: { payment_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const seen = (await readState(ctx, input.payment_id)) ?? fail("payment_not_found");
    const { row, state } = seen;
    const known = knownTags(ctx.request.ifNoneMatch);
    const old = known.length > 0 ? known : [`"${etag(state)}"`];
    const hasChanged = (later: State) => !old.includes(`"${etag(later)}"`);
    const isAwaited = (later: Seen) => (input.wait_for === "final" ? isFinal(ctx, later) : hasChanged(later.state));
    if (input.wait === 0 || (await isAwaited(seen))) return state;
    const leave = ctx.runtime.polls.takeIfFree(ctx);
    if (!leave) {
      ctx.request.answerHeaders["Retry-After"] = "1";
      return state;
    }
    const unwatch = watchPayment(ctx.runtime, row);
    const caller = watchCaller(ctx.runtime, ctx.actor);
    try {
      const ids: [string, ...string[]] = caller.id === null ? [row.id] : [row.id, caller.id];
      const awaited = await awaitState(ctx, ids, input.wait * 1000, isAwaited);
      return awaited ?? fail("payment_not_found");
    } finally {
      unwatch();
      caller.unwatch();
      leave();
    }
  },
});

/**
 * The first state that is awaited, or the state at the end of the wait. Throws once the caller has lost access. It waits
 * for changes of the objects, of which the payment request is the first.
 */
async function awaitState(
  ctx: ReadContext,
  ids: readonly [paymentId: string, ...others: string[]],
  waitMs: number,
  isAwaited: (seen: Seen) => boolean | Promise<boolean>,
): Promise<State | null> {
  const { changes, rate } = ctx.runtime;
  const until = performance.now() + waitMs;
  for (;;) {
    const leftMs = until - performance.now();
    // Timers fire up to a millisecond early, and reading once more would count as another call.
    if (leftMs > 0) await changes.next(ids, Math.ceil(leftMs) + 1, ctx.request.signal);
    // Each read counts as a call against the rate limit.
    rate?.charge(callerKey(ctx.actor, ctx.request), 1);
    if (!(await ctx.stillAllowed())) throw protocolFailure("unauthorized", undefined, { "WWW-Authenticate": "Bearer" });
    const found = await readState(ctx, ids[0]);
    if (!found || (await isAwaited(found)) || performance.now() >= until || ctx.request.signal.aborted) {
      return found?.state ?? null;
    }
  }
}

interface Seen {
  row: PaymentRow;
  state: State;
}

/** The statuses of a payment request that wait for the payer or the provider; an attempt has the last two, too. */
const unfinished: readonly string[] = ["pending", "requires_action", "processing"] satisfies State["status"][];

/** Whether no attempt is under way, and none is expected. An authorized one has ended until it is captured. */
async function isFinal({ db }: ReadContext, { row, state }: Seen): Promise<boolean> {
  if (unfinished.includes(state.status)) return false;
  return !(await attemptsOf(db, row)).some(({ status }) => unfinished.includes(status));
}

async function readState(ctx: ReadContext, id: string): Promise<Seen | null> {
  const row = await findPayment(ctx.db, ctx.scope, id);
  if (!row) return null;
  // The current time, not `ctx.now`: the payment request may expire, and the clock be moved, while the call waits.
  const now = await timeOf(ctx.runtime, ctx.db, row.organizationId);
  return { row, state: presentState(row, await transactionIdsOfOne(ctx.db, row.id), now) };
}

/** The response's version: a hash of all fields, independent of their order. */
function etag(state: State): string {
  const fields = Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url").slice(0, 22);
}

const knownTags = (header: string | null): string[] =>
  header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
