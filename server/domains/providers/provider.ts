// What every payment provider does for us. Every call carries our idempotency key, so it may be made again.
import type { PaymentMethod, TransactionFailure } from "@/db/schema/values";
import { dayMs, limits } from "@/server/kit/limits";

/** How long an authorization may wait for its capture, in milliseconds. */
export const authorizationLifetimeMs = limits.captureDays * dayMs;

export interface ChargeRequest {
  /** The id of our transaction: the provider makes one charge for it, however often it is asked. */
  idempotencyKey: string;
  /** Minor units. */
  amount: number;
  currency: string;
  captureMethod: "automatic" | "manual";
  /** What the customer entered, in the provider's own shape; never stored or logged by us. */
  details: Readonly<Record<string, string>>;
}

export type ChargeStatus = "processing" | "requires_action" | "authorized" | "succeeded" | "declined" | "canceled";

export interface ChargeResult {
  kind: "charge";
  /** The provider's own; null for a charge that was never made. */
  reference: string | null;
  status: ChargeStatus;
  /** Minor units taken so far. */
  amountCaptured: number;
  /** With `requires_action`: where the payer confirms the payment. */
  actionUrl: string | null;
  method: PaymentMethod | null;
  /** With `declined`: why. */
  failure: TransactionFailure | null;
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

/** Why a charge that its provider never saw has failed. Nobody declined it, so it does not count against the payer. */
export const notReceived: TransactionFailure = {
  code: "not_received",
  message: "The provider did not receive the payment.",
};

/** The outcome of a charge that we know was never asked for. */
export const neverMade: ChargeResult = {
  kind: "charge",
  reference: null,
  status: "declined",
  amountCaptured: 0,
  actionUrl: null,
  method: null,
  failure: notReceived,
};

/**
 * The calls of a payment provider. Each gets a signal that aborts once nobody waits for the answer: an adapter hands it
 * to its HTTP client, so that a request which is still queued, resolving or connecting is not sent any more.
 *
 * What an adapter must promise so that no payer is charged twice:
 * 1. One charge or refund per idempotency key, for at least 31 days or as long as the provider keeps keys.
 * 2. `start` sends its request at once: it neither queues nor retries by itself.
 * 3. After `giveUp` no charge is ever made with that key, not even by a request that is still on its way.
 *
 * A provider that remembers keys can keep the third promise: the adapter spends the key itself, on a charge that it
 * creates unconfirmed and cancels at once; a late `start` then gets that charge, or an error, and no money. For a
 * provider that cannot, `giveUp` is a second `lookup`. What is left then is a request that was sent within its deadline
 * and reaches the provider after the look-up, some 10 seconds after its connection was closed. Such a charge is posted
 * as any other, and shown as `amount_overpaid` if the request has been paid meanwhile.
 */
export interface PaymentProvider {
  readonly name: string;
  /** What is wrong with what the customer entered, field by field, before anything is asked or kept. */
  check(details: ChargeRequest["details"]): readonly string[];
  start(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
  /** Ends a charge that the provider does not know: the charge that had arrived all the same, or a declined one. */
  giveUp(request: Omit<ChargeRequest, "details">, signal: AbortSignal): Promise<ChargeResult>;
  /**
   * Takes `amount` minor units of an authorized charge and releases the rest. It is also called up to a day after the end
   * that we count on: the provider takes the money, or answers that the charge is canceled.
   */
  capture(chargeReference: string, amount: number, signal: AbortSignal): Promise<ChargeResult>;
  /**
   * Releases a charge that is authorized, or declines one that waits for its payer's confirmation. A charge that is not
   * (or not any more) at `from` stays as it is, and the answer says how.
   */
  cancel(chargeReference: string, from: "authorized" | "requires_action", signal: AbortSignal): Promise<ChargeResult>;
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundResult>;
  /** What became of the call with this idempotency key; null if the provider never saw it. */
  lookup(kind: ProviderResult["kind"], idempotencyKey: string, signal: AbortSignal): Promise<ProviderResult | null>;
}
