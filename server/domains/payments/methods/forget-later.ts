// Has a stored card forgotten at its provider. The job checks that nothing needs it: see subscriptions/forget-card.ts.
import { schedule } from "@/server/domains/jobs/queue";
import type { WriteContext } from "@/server/kit/context";
import { type MethodRow, storedOfCustomers } from "./store";

/** Schedules that the provider forgets the card, in the transaction after which nothing needs it any more. */
export const forgetLater = (
  ctx: WriteContext,
  { id: objectId, organizationId }: Pick<MethodRow, "id" | "organizationId">,
): Promise<void> => schedule(ctx, { kind: "payments.forget_method", organizationId, objectId, afterMs: 0 });

/** The same for all cards of these customers. */
export async function forgetCardsOf(ctx: WriteContext, customerIds: readonly string[]): Promise<void> {
  let last: MethodRow | undefined;
  do {
    const found = await storedOfCustomers(ctx.db, customerIds, last?.id ?? "");
    for (const method of found) await forgetLater(ctx, method);
    last = found.at(-1);
  } while (last);
}
