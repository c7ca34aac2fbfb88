// The interface of a payment provider. Creating a charge or refund carries our idempotency key, so it can be repeated.
import type { DisputeStatus, PaymentMethod, TransactionFailure } from "@/db/schema/values";
import { dayMs, limits } from "@/server/kit/limits";

/** How long an authorization can be captured, in milliseconds. */
export const authorizationLifetimeMs = limits.captureDays * dayMs;

export interface ChargeRequest {
  /** The id of our transaction: the provider makes one charge for it, however often we call. */
  idempotencyKey: string;
  /** Minor units. */
  amount: number;
  currency: string;
  captureMethod: "automatic" | "manual";
  /** What the payer entered, in the provider's own shape; never stored or logged by us. */
  details: Readonly<Record<string, string>>;
}

export type ChargeStatus = "processing" | "requires_action" | "authorized" | "succeeded" | "declined" | "canceled";

/** A dispute of a charge: the payer's bank has taken an amount back, for now or for good. */
export interface ChargeDispute {
  status: Exclude<DisputeStatus, "none">;
  /** Minor units, the same in each status. */
  amount: number;
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
  /** Absent or null while the charge has not been disputed. A charge is disputed at most once. */
  dispute?: ChargeDispute | null;
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

/** The outcome of a charge that we know we never sent. */
export const neverMade: ChargeResult = {
  kind: "charge",
  reference: null,
  status: "declined",
  amountCaptured: 0,
  actionUrl: null,
  method: null,
  failure: notReceived,
  dispute: null,
};

/**
 * The calls of a payment provider. Each gets a signal that aborts when the caller stops waiting: an adapter passes it
 * to its HTTP client, so that a request which is still queued, resolving or connecting is never sent.
 *
 * An adapter must guarantee three things so that no payer is charged twice:
 * 1. One charge or refund per idempotency key, for at least 31 days: a caller may repeat a request for 30 days.
 * 2. `start` sends its HTTP request at once: it neither queues nor retries.
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
  /** Gives up a charge that the provider does not know: resolves to it if it arrived after all, else to a decline. */
  giveUp(request: Omit<ChargeRequest, "details">, signal: AbortSignal): Promise<ChargeResult>;
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
