// The interface of a payment provider. Creating a charge or refund carries our idempotency key, so it can be repeated.
import type { DisputeStatus, PaymentMethod, TransactionFailure } from "@/db/schema/values";
import { dayMs, limits } from "@/server/kit/limits";

/** How long an authorization can be captured, in milliseconds. */
export const authorizationLifetimeMs = limits.captureDays * dayMs;

export interface ChargeRequest {
  /** The id of our transaction: the provider makes one charge for it, however often we call. */
  idempotencyKey: string;
  /** Minor units; 0 only stores the card, so that no money is taken. */
  amount: number;
  currency: string;
  captureMethod: "automatic" | "manual";
  /** Whether the provider keeps the card, so that it can be charged later without the payer. */
  storesMethod?: boolean;
  /** What the payer entered, in the provider's own shape; never stored or logged by us. */
  details: Readonly<Record<string, string>>;
}

/** What identifies a charge that its provider may never have received. */
export type UnsentCharge = Omit<ChargeRequest, "details" | "storesMethod">;

/** A charge of a stored card, without the payer. */
export interface StoredChargeRequest extends Omit<ChargeRequest, "details" | "storesMethod" | "captureMethod"> {
  /** The provider's reference of the stored card. */
  methodReference: string;
}

export type ChargeStatus = "processing" | "requires_action" | "authorized" | "succeeded" | "declined" | "canceled";

/** A dispute of a charge: the payer's bank has taken an amount back, for now or for good. */
export interface ChargeDispute {
  /** The provider's identifier of the dispute, which tells a second one from the first; null if it gives none. */
  reference: string | null;
  status: Exclude<DisputeStatus, "none">;
  /** Minor units, the same in each status. */
  amount: number;
  currency: string;
}

export interface ChargeResult {
  kind: "charge";
  /** The provider's identifier of the charge; null for a charge that was never made. */
  reference: string | null;
  status: ChargeStatus;
  /** Minor units captured so far. */
  amountCaptured: number;
  /** With `requires_action`: the page on which the payer confirms the payment. */
  actionUrl: string | null;
  method: PaymentMethod | null;
  /** With `declined`: the reason. */
  failure: TransactionFailure | null;
  /**
   * The provider's reference of the card, once it is stored; absent or null for a charge that stores none. Where it can,
   * an adapter gets a reference of its own each time a card is stored. One that is shared is forgotten once nothing
   * needs it; if the same card is being stored again at that very moment, its next charge is declined.
   */
  storedMethod?: string | null;
  /**
   * Absent or null while the charge has not been disputed. A report carries one dispute, and one is booked. So of several,
   * an adapter must report the first one, again and again, until it is won or lost; after that the latest, which is then
   * only shown, for somebody to look into. If it reports a second one earlier, the end of the first stays unknown here,
   * and its amount stays held. A dispute that was won and is lost after all is reported as lost.
   */
  dispute?: ChargeDispute | null;
  /**
   * When the provider took what is captured, in epoch milliseconds of the organization's time; absent or null if it does
   * not say. The money then counts as taken when the result is applied.
   */
  movedAt?: number | null;
}

export interface RefundRequest {
  /** The id of our refund transaction. */
  idempotencyKey: string;
  chargeReference: string;
  /** Minor units. */
  amount: number;
  currency: string;
}

export interface RefundResult {
  kind: "refund";
  reference: string;
  status: "pending" | "succeeded" | "failed";
  failure: TransactionFailure | null;
  /** When the provider returned the money, like that of a charge. */
  movedAt?: number | null;
}

export type ProviderResult = ChargeResult | RefundResult;

/**
 * The failure of a charge that never reached its provider. It is not a decline, so it does not count against the payer.
 */
export const notReceived: TransactionFailure = {
  code: "not_received",
  message: "The provider did not receive the payment.",
};

/**
 * The failure of a charge whose payer left the confirmation, or let its time pass. No bank declined anything, so it counts
 * against the payer less than a decline.
 */
export const neverConfirmed: TransactionFailure = {
  code: "authentication_abandoned",
  message: "The payer did not confirm the payment with the card's bank.",
};

/** The failure of a charge of a stored card that the bank allows only if the customer confirms it on a page. */
export const needsCustomer: TransactionFailure = {
  code: "authentication_required",
  message: "The card's bank wants the customer to confirm the payment.",
};

/** The codes of declines after which the same card must not be charged again. */
const hardDeclines: readonly string[] = ["lost_card", "stolen_card", "fraudulent"];

/** Whether the bank said that the card must not be charged again. */
export const isHardDecline = (failure: TransactionFailure | null): boolean =>
  failure !== null && hardDeclines.includes(failure.code);

/** The outcome of a charge that we know we never sent. */
export const neverMade: ChargeResult = {
  kind: "charge",
  reference: null,
  status: "declined",
  amountCaptured: 0,
  actionUrl: null,
  method: null,
  failure: notReceived,
  storedMethod: null,
  dispute: null,
};

/**
 * The calls of a payment provider. Each gets a signal that aborts when the caller stops waiting: an adapter passes it
 * to its HTTP client, so that a request which is still queued, resolving or connecting is never sent.
 *
 * An adapter must guarantee three things so that no payer is charged twice:
 * 1. One charge or refund per idempotency key, for at least 31 days: a caller may repeat a request for 30 days.
 * 2. `start` and `chargeStored` send their HTTP request at once: they neither queue nor retry.
 * 3. After `giveUp` no charge is ever made with that key, not even by a request that is still in flight.
 *
 * A provider that remembers keys can give the third guarantee: the adapter uses up the key with a charge that it
 * creates unconfirmed and cancels at once; a late `start` then gets that charge, or an error, and takes no money. For a
 * provider that cannot, `giveUp` is a second `lookup`. One risk remains then: a request that was sent before its
 * deadline and reaches the provider after the look-up, some 10 seconds after its connection was closed. Such a charge
 * is posted like any other, and shown as `amount_overpaid` if the payment request has been paid meanwhile.
 */
export interface PaymentProvider {
  readonly name: string;
  /** Validates what the payer entered, before anything is sent or stored. Returns one code per problem. */
  check(details: ChargeRequest["details"]): readonly string[];
  start(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
  /**
   * Charges a stored card without the payer, with the same guarantees as {@link start}. Where the bank wants the customer
   * to confirm it, the charge is declined as {@link needsCustomer}: it is then paid on a page.
   */
  chargeStored(request: StoredChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
  /**
   * Removes a stored card, which nobody will charge again. It resolves if the provider does not know the card, so that it
   * can be repeated.
   */
  forget(methodReference: string, signal: AbortSignal): Promise<void>;
  /** Gives up a charge that the provider does not know: resolves to it if it arrived after all, else to a decline. */
  giveUp(request: UnsentCharge, signal: AbortSignal): Promise<ChargeResult>;
  /**
   * Takes `amount` minor units of an authorized charge and releases the rest. We also call it up to a day after we
   * expect the authorization to lapse: the provider then takes the money, or answers that the charge is canceled.
   */
  capture(chargeReference: string, amount: number, signal: AbortSignal): Promise<ChargeResult>;
  /**
   * Releases an authorized charge, or declines one that waits for the payer's confirmation, as {@link neverConfirmed}. A
   * charge whose status is not (or no longer) `from` stays unchanged; the answer carries its actual status.
   */
  cancel(chargeReference: string, from: "authorized" | "requires_action", signal: AbortSignal): Promise<ChargeResult>;
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundResult>;
  /** The result of the call with this idempotency key; null if the provider never received it. */
  lookup(kind: ProviderResult["kind"], idempotencyKey: string, signal: AbortSignal): Promise<ProviderResult | null>;
}
