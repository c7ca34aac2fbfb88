// What payment requests of type subscription need from subscriptions, which supply it: see server/domains/steps.ts.
import type { Reader, Tx } from "@/db/client";
import type { WriteContext } from "@/server/kit/context";
import { step } from "@/server/kit/step";
import type { Runtime } from "@/server/process/runtime";
import type { MethodRow } from "./methods/store";
import type { PaymentRow } from "./store";

interface Subscriptions {
  /** Locks the subscriptions in id order, until the transaction ends. */
  lock(tx: Tx, ids: readonly string[]): Promise<void>;
  /**
   * Follows a change of a payment request of type subscription, which the caller has locked: its first attempt begins a
   * subscription, and what becomes of it decides about the subscription's status.
   */
  follow(ctx: WriteContext, before: PaymentRow, after: PaymentRow): Promise<void>;
  /** The payment request that began the subscription. Throws for an unknown one. */
  firstPaymentId(q: Reader, subscriptionId: string): Promise<string>;
  /**
   * Whether a card that was entered with the card link of this hash may become that of its subscription, which this locks:
   * the link is the newest one and unused, and the subscription is not over.
   */
  mayUseCard(ctx: WriteContext, cardLink: string): Promise<boolean>;
  /** Makes a stored card that of its subscription, which `mayUseCard` has locked. */
  useCard(ctx: WriteContext, method: MethodRow): Promise<void>;
  /** Names the card of the subscription, which is locked with the payment request. A later card has another name, and so has a subscription without one. */
  cardOf(ctx: WriteContext, subscriptionId: string): Promise<string>;
  /** The address of the page of the card link of this hash. */
  cardPageUrl(q: Reader, runtime: Runtime, cardLink: string): Promise<string>;
}

export const subscriptions = step<Subscriptions>("subscriptions");
