// What a payment provider does for us, whoever it is. Every call carries our idempotency key, so it may be made again.
import type { PaymentMethod, TransactionFailure } from "@/db/schema/values";

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

export interface PaymentProvider {
  readonly name: string;
  /** What is wrong with what the customer entered, field by field, before anything is asked or kept. */
  check(details: ChargeRequest["details"]): readonly string[];
  start(request: ChargeRequest): Promise<ChargeResult>;
  /** Takes `amount` minor units of an authorized charge and releases the rest. */
  capture(chargeReference: string, amount: number): Promise<ChargeResult>;
  /**
   * Releases a charge that is authorized, or declines one that waits for its payer's confirmation. A charge that is not
   * (or not any more) at `from` stays as it is, and the answer says how.
   */
  cancel(chargeReference: string, from: "authorized" | "requires_action"): Promise<ChargeResult>;
  refund(request: RefundRequest): Promise<RefundResult>;
  /** What became of the call with this idempotency key; null if the provider never saw it. */
  lookup(kind: ProviderResult["kind"], idempotencyKey: string): Promise<ProviderResult | null>;
}
