// The events of a payment request, transaction, account, customer or subscription, for the dashboard.
import * as z from "zod";
import { may } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { visibleAccount } from "@/server/domains/accounts/authorized-account";
import { findCustomer } from "@/server/domains/customers/store";
import { idsOfVisiblePayment } from "@/server/domains/payments/visibility";
import { findSubscription } from "@/server/domains/subscriptions/store";
import { isVisibleTransaction } from "@/server/domains/transactions/visibility";
import type { ReadContext } from "@/server/kit/context";
import * as fields from "@/server/kit/fields";
import { instantOf, isId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { exactly } from "@/server/kit/totals";
import { iso } from "@/server/process/clock";
import { type ActorRow, actorsAt, eventsOf, type TimelineRow } from "../store";

const { limit, cursor } = fields.listParameters;

const actor = z
  .strictObject({ type: z.enum(["anonymous", "user", "api_key", "system"]), name: z.string().nullable() })
  .meta({ description: "Who acted; for admins only. `anonymous` is anyone with the pay link." });

const timelineEvent = z.strictObject({
  event_id: z.string(),
  type: z.string(),
  object_id: z.string(),
  sequence: z.int().meta({ description: "Counts 1, 2, 3 … per object." }),
  created_at: fields.timestamp,
  data: z.record(z.string(), z.unknown()),
  actor: actor.nullable(),
});

export const timeline = operation({
  id: "events.timeline",
  summary: "List the events of an object",
  description: "Newest first. A payment request's timeline has the events of its transactions too.",
  access: rules["timeline.read"],
  effect: "read",
  input: z.strictObject({
    object_id: z
      .string()
      .max(limits.id)
      .meta({ description: "A payment request, a transaction, an account, a customer or a subscription." }),
    limit,
    cursor,
  }),
  output: fields.page(timelineEvent),
  errors: { object_not_found: 400, invalid_cursor: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const ids = await visibleIds(ctx, input.object_id, () => fail("object_not_found"));
    const namesActors = may("timeline.read.actors", ctx.actor);
    return pageOf(ctx.runtime.keys, { ...input, include_total: false }, fail, {
      list: "timeline",
      rows: (after, rowCount) => eventsOf(ctx.db, ids, after, rowCount),
      total: () => exactly(Promise.resolve(0)),
      present: async (rows: TimelineRow[]) => {
        const actors = namesActors ? await actorsAt(ctx.db, ids, [...new Set(rows.map(recordedAt))]) : [];
        return [...rows].sort(lastFirst).map((row) => presentRow(row, actors));
      },
    });
  },
});

/** The ids of the objects whose events make up the timeline. The requested object must be in scope. */
async function visibleIds(ctx: ReadContext, id: string, missing: () => never): Promise<string[]> {
  if (isId("pay", id)) return (await idsOfVisiblePayment(ctx, id)) ?? missing();
  if (isId("acct", id)) return [(await visibleAccount(ctx, id, missing)).id];
  if (isId("cus", id)) return (await findCustomer(ctx.db, ctx.scope, id)) ? [id] : missing();
  if (isId("sub", id)) return (await findSubscription(ctx.db, ctx.scope, id)) ? [id] : missing();
  return (await isVisibleTransaction(ctx, id)) ? [id] : missing();
}

/**
 * At the same instant, a transaction's events precede those of its payment request, and each object keeps its order.
 */
const lastFirst = (a: TimelineRow, b: TimelineRow): number =>
  b.createdAt - a.createdAt || a.objectId.localeCompare(b.objectId) || b.sequence - a.sequence;

/** The real time of an event, which its audit entries have too: `createdAt` is its organization's time. */
const recordedAt = ({ id }: TimelineRow): number => instantOf(id);

function presentRow(row: TimelineRow, actors: readonly ActorRow[]): z.input<typeof timelineEvent> {
  const then = actors.filter(({ createdAt }) => createdAt === recordedAt(row));
  // An audit entry names one target, but the call may have changed other objects in the timeline.
  const by = then.find(({ targetId }) => targetId === row.objectId) ?? then[0];
  return {
    event_id: row.id,
    type: row.type,
    object_id: row.objectId,
    sequence: row.sequence,
    created_at: iso(row.createdAt),
    data: row.data,
    actor: by ? { type: by.type, name: by.name } : null,
  };
}
