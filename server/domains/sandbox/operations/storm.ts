// POST /v1/sandbox/storm: repeats the provider's events about recent payments and refunds, as providers at times do.
import * as z from "zod";
import type { Tx } from "@/db/client";
import { rules } from "@/server/access/rules";
import { lockClock, updateClock } from "@/server/domains/organizations/clock-store";
import { timeOf } from "@/server/domains/organizations/time";
import { limits } from "@/server/kit/limits";
import { type Intent, saga } from "@/server/kit/operation";
import { assertSandbox } from "../clock";
import { realRuntime } from "../events";
import { storm } from "../storm";
import { recentAtSandbox } from "../storm-store";

interface Repeating extends Intent {
  organization: string;
  /** The end of its lease, which tells it from a later storm. Epoch ms of real time. */
  until: number;
}

export const stormEvents = saga({
  id: "sandbox.storm",
  summary: "Repeat the provider's events",
  description:
    "Delivers the events of the organization's recent payments and refunds again, as a provider may: each `duplicates` " +
    `times, several at once, and in random order with \`shuffle\`. It concerns the latest ${limits.storm.transactions} ` +
    "transactions; one whose next event is still to come is left out. Repeated events change nothing: `changed` is 0, unless a payer or the clock acted meanwhile. " +
    `A call ends after ${limits.sandboxClock.waitMs / 1000} seconds, and \`sent\` says how far it came. ` +
    "An organization has one storm at a time; another one is refused. " +
    "For a live organization this is an `unknown_path`.",
  access: rules["sandbox.events"],
  rest: { method: "POST", path: "/v1/sandbox/storm", extension: true },
  input: z
    .strictObject({
      duplicates: z
        .int()
        .min(1)
        .max(limits.storm.duplicates)
        .default(3)
        .meta({ description: "How often each event is repeated.", example: 3 }),
      shuffle: z.boolean().default(true).meta({ description: "Whether they come in random order.", example: true }),
    })
    .meta({ id: "SandboxStorm" }),
  output: z
    .strictObject({
      transactions: z.int().meta({ description: "How many payments and refunds the events were about." }),
      sent: z.int().meta({ description: "How many repeated events were delivered." }),
      changed: z.int().meta({ description: "How many of them changed anything. 0 is right." }),
    })
    .meta({ id: "SandboxStormResult" }),
  errors: { insufficient_permissions: 400, storm_running: 400 },
  async begin({ ctx, input, fail }): Promise<{ intent: Repeating }> {
    await assertSandbox(ctx);
    const { organizationId } = ctx.scope;
    const row = await lockClock(ctx.db, organizationId);
    if (!row) throw new Error(`${organizationId} has no clock.`);
    if ((row.stormUntil ?? 0) > ctx.realNow) return fail("storm_running");
    const until = ctx.realNow + limits.storm.leaseMs;
    await updateClock(ctx.db, { ...row, stormUntil: until });
    ctx.audit({ target: organizationId, detail: { ...input } });
    return { intent: { organization: organizationId, until } };
  },
  async perform({ ctx, input, intent }) {
    const { organization: organizationId } = intent;
    const runtime = realRuntime(ctx.runtime);
    const now = await timeOf(runtime, ctx.db, organizationId);
    const ids = await recentAtSandbox(ctx.db, organizationId, now);
    const whole = { organizationId, ids, ...input, signal: ctx.request.signal };
    const result = await storm(runtime, whole).catch(async (error: unknown) => {
      await runtime.db.write((tx) => endLease(tx, intent));
      throw error;
    });
    return { transactions: ids.length, ...result };
  },
  async finish({ ctx, intent, outcome }) {
    await endLease(ctx.db, intent);
    ctx.audit({ target: intent.organization, detail: { ...outcome } });
    return outcome;
  },
});

/** Lets the next storm begin, unless one has begun after the end of the lease. */
async function endLease(tx: Tx, { organization, until }: Repeating): Promise<void> {
  const row = await lockClock(tx, organization);
  if (row?.stormUntil === until) await updateClock(tx, { ...row, stormUntil: null });
}
