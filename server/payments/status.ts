// GET /v1/payments/{payment_id}/status: how far a request has come, at once or as soon as that changes.
import { createHash } from "node:crypto";
import * as z from "zod";
import { rules } from "@/server/access/rules";
import type { ReadContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { presentState } from "./present";
import { paymentId, paymentState } from "./schema";
import { findPayment, transactionIdsOfOne } from "./store";

type State = z.input<typeof paymentState>;

/** Changes made by other processes are noticed by looking again this often. */
const lookAgainMs = 1000;

export const paymentStatus = operation({
  id: "payments.status",
  summary: "Check payment status",
  description:
    "With `wait` the answer comes when the status changes, or after that many seconds. It changes against the `ETag` " +
    "in `If-None-Match`, or else against what it was when the request arrived.",
  access: rules["payments.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/payments/{payment_id}/status", etag },
  input: z.strictObject({
    payment_id: paymentId,
    wait: z.int().min(0).max(limits.waitSeconds).default(0).meta({ description: "Seconds to wait for a change." }),
  }),
  output: paymentState,
  errors: { payment_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const first = await readState(ctx, input.payment_id);
    if (!first) return fail("payment_not_found");
    const known = knownTags(ctx.request.ifNoneMatch);
    const isNews = (state: State) =>
      known.length > 0 ? !known.includes(`"${etag(state)}"`) : etag(state) !== etag(first);
    let state = first;
    let leftMs = input.wait * 1000;
    while (!isNews(state) && leftMs > 0 && !ctx.request.signal.aborted) {
      const stepMs = Math.min(lookAgainMs, leftMs);
      await ctx.runtime.changes.next(input.payment_id, stepMs, ctx.request.signal);
      leftMs -= stepMs;
      state = (await readState(ctx, input.payment_id)) ?? fail("payment_not_found");
    }
    return state;
  },
});

async function readState(ctx: ReadContext, id: string): Promise<State | null> {
  const row = await findPayment(ctx.db, ctx.scope, id);
  if (!row) return null;
  // Time passes while the call waits, and a request may expire in it.
  return presentState(row, await transactionIdsOfOne(ctx.db, row.id), ctx.runtime.clock.now());
}

/** The version of the answer: a hash of all of it, in whatever order its fields come. */
function etag(state: State): string {
  const fields = Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url").slice(0, 22);
}

const knownTags = (header: string | null): string[] =>
  header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
