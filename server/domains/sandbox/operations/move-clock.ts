// Moves the clock of a sandbox organization forward, and waits for what becomes due.
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { schedule, wake } from "@/server/domains/jobs/queue";
import { runNow } from "@/server/domains/jobs/runner";
import { findClock, lockClock, updateClock } from "@/server/domains/organizations/clock-store";
import type { WriteContext } from "@/server/kit/context";
import { protocolFailure } from "@/server/kit/errors";
import { instant } from "@/server/kit/fields";
import { dayMs, limits } from "@/server/kit/limits";
import { type Intent, saga } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { advanceOn } from "../advance";
import { assertSandbox, clock, presentClock } from "../clock";
import { decidedCaptures } from "../decided-store";
import { durationIn, instantAfter } from "../duration";

const { callDays, years, waitMs } = limits.sandboxClock;

/** Twenty years with their leap days. */
const mostOffsetMs = years * 365.25 * dayMs;

/** How long a call waits before it asks again whether a worker is done, in milliseconds. */
const pollMs = 100;

const duration = z
  .string()
  .max(limits.instant)
  .transform((text, issues) => {
    const found = durationIn(text);
    if (!found) issues.addIssue({ code: "custom", message: "must be a duration, such as P7D" });
    return found ?? z.NEVER;
  })
  .meta({ description: "How far to move it: a duration of ISO 8601.", example: "P7D" });

interface Moving extends Intent {
  organization: string;
}

export const moveSandboxClock = saga({
  id: "sandbox.moveClock",
  summary: "Move the sandbox clock forward",
  description:
    "Everything that becomes due is carried out in order, each at its own instant, as if the time had passed: payment " +
    "requests expire, authorizations lapse, reminders go, late answers arrive. One call moves the clock at most " +
    `${callDays} days, all together ${years} years. If that takes longer than ${waitMs / 1000} seconds, the answer says ` +
    "`running: true`, and GET tells when it is done.",
  access: rules["sandbox.clock.move"],
  rest: { method: "POST", path: "/v1/sandbox/clock", extension: true },
  input: z
    .strictObject({ advance: duration.optional(), set: instant.optional() })
    .refine(({ advance, set }) => (advance === undefined) !== (set === undefined), "give either `advance` or `set`")
    .meta({ id: "SandboxClockMove" }),
  output: clock,
  errors: { clock_backwards: 400, clock_limit: 400, insufficient_permissions: 400 },
  async begin({ ctx, input: { advance, set }, fail }): Promise<{ intent: Moving }> {
    await assertSandbox(ctx);
    const { organizationId } = ctx.scope;
    const before = await lockClock(ctx.db, organizationId);
    if (!before) throw new Error(`${organizationId} has no clock.`);
    const from = ctx.realNow + before.offsetMs;
    const to = advance ? instantAfter(from, advance) : (set ?? from);
    if (to < from) return fail("clock_backwards");
    if (to - from > callDays * dayMs) throw tooFar();
    const offsetMs = to - ctx.realNow;
    if (offsetMs > mostOffsetMs) return fail("clock_limit");
    await finishBefore(ctx, organizationId, from);
    const movedFrom = before.isRunning ? before.movedFrom : from;
    await updateClock(ctx.db, { ...before, offsetMs, isRunning: true, movedFrom });
    await wake(ctx, { kind: "sandbox.advance", organizationId, objectId: organizationId });
    ctx.audit({ target: organizationId, detail: { from: iso(from), to: iso(to) } });
    return { intent: { organization: organizationId } };
  },
  async perform({ ctx, intent: { organization } }): Promise<void> {
    const until = performance.now() + waitMs;
    const table = { handlers: { "sandbox.advance": advanceOn }, batchHandlers: {} };
    while (performance.now() < until && !ctx.request.signal.aborted) {
      if (!(await findClock(ctx.db, organization))?.isRunning) return;
      if (!(await runNow(ctx.runtime, "sandbox.advance", organization, table))) await sleep(pollMs);
    }
  },
  async finish({ ctx, intent: { organization } }) {
    const row = await findClock(ctx.db, organization);
    ctx.audit({ target: organization, detail: { running: row?.isRunning ?? false } });
    return presentClock(row, ctx.realNow);
  },
});

const tooFar = () =>
  protocolFailure("invalid_request", `advance, set: one call moves the clock at most ${callDays} days`);

/**
 * Makes acts of captures that were decided and not confirmed, due before everything that the move makes due: their
 * process may have died, and once the clock has moved past the end of the authorization it is too late for them.
 */
async function finishBefore(ctx: WriteContext, organizationId: string, now: number): Promise<void> {
  for (const objectId of await decidedCaptures(ctx.db, organizationId)) {
    await schedule({ ...ctx, now }, { kind: "payments.lookup", organizationId, objectId, dueAt: now });
  }
}
