// What the operations that change a subscription have in common.
import { rules } from "@/server/access/rules";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { lockWithLatest } from "../end";
import { refusalTo } from "../rules";
import { subscription } from "../schema";
import { findSubscription, type SubscriptionRow } from "../store";

export const common = {
  access: rules["subscriptions.write"],
  time: "organization",
  effect: "write",
  output: subscription,
} as const;

export const errors = {
  invalid_request: 400,
  insufficient_permissions: 400,
  subscription_not_found: 400,
  invalid_subscription_state: 400,
} as const;

type Refuse = Fail<keyof typeof errors>;

/** The subscription, if the caller sees it, locked together with its newest payment request. */
export async function locked(ctx: WriteContext, id: string, fail: Refuse): Promise<SubscriptionRow> {
  const seen = await findSubscription(ctx.db, ctx.scope, id);
  return (seen && (await lockWithLatest(ctx, seen.id))) ?? fail("subscription_not_found");
}

/** Refuses a command that does not fit what the subscription is. */
export function check(command: Parameters<typeof refusalTo>[0], row: SubscriptionRow, fail: Refuse): void {
  const refusal = refusalTo(command, row);
  if (refusal !== null) fail("invalid_subscription_state", refusal);
}
