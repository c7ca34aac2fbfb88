// What payment requests of type subscription need from subscriptions, which supply it: see server/domains/steps.ts.
import type { Reader } from "@/db/client";
import type { WriteContext } from "@/server/kit/context";
import { step } from "@/server/kit/step";
import type { PaymentRow } from "./store";

interface Subscriptions {
  /**
   * Follows a change of a payment request of type subscription, which the caller has locked: its first attempt begins a
   * subscription, and what becomes of it decides about the subscription's status.
   */
  follow(ctx: WriteContext, before: PaymentRow, after: PaymentRow): Promise<void>;
  /** The payment request that began the subscription. Throws for an unknown one. */
  firstPaymentId(q: Reader, subscriptionId: string): Promise<string>;
}

export const subscriptions = step<Subscriptions>("subscriptions");
