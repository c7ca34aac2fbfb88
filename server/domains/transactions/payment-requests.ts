// What transactions need from the payment requests that they count towards. Payments supply it: see
// server/domains/steps.ts.
import type { Placeholder, SQL, SQLWrapper } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import type { WriteContext } from "@/server/kit/context";
import { step } from "@/server/kit/step";
import type { TransactionRow } from "./present";

/** An offline payment that is to count towards a payment request. */
export interface OfflinePayment {
  organizationId: string;
  accountId: string;
  /** Minor units. */
  amount: number;
  currency: string;
  livemode: boolean;
}

export type PaymentRefusal =
  | "payment_not_found"
  | "payment_already_paid"
  | "payment_not_payable"
  | "link_used_up"
  | "too_many_parts"
  | "payment_processing"
  | "payment_expired"
  | "currency_mismatch"
  | "amount_too_large";

/** What a payment request still expects from an attempt. */
export interface Demand {
  /** False once the payment request is canceled, or paid by another attempt. */
  isWanted: boolean;
  captureMethod: "automatic" | "manual";
}

/** The folded e-mail address and the reference of a customer, as columns of a query. */
export interface SaidOfCustomer {
  emailKey: SQL;
  reference: SQL;
}

export interface PaymentRequests {
  /** The payment request's account; undefined if the organization has no such payment request. */
  accountOf(tx: Tx, organizationId: string, id: string): Promise<string | undefined>;
  /** Locks the payment request's row. Writers lock it before the rows of its transactions. */
  lock(tx: Tx, id: string): Promise<void>;
  /** Why the payment request, which the caller has locked, refuses the payment; null if it accepts it. */
  refusalOf(ctx: WriteContext, id: string, payment: OfflinePayment): Promise<PaymentRefusal | null>;
  /**
   * Updates the payment request from its transactions, in the database transaction that changed them; emits events.
   * `arrivedId` is the transaction whose money has arrived, if any has.
   */
  refresh(ctx: WriteContext, id: string, arrivedId?: string): Promise<unknown>;
  /** How many of `amount` minor units would refund its surplus. The caller has locked the payment request. */
  surplusWithin(tx: Tx, id: string, amount: number): Promise<number>;
  demandOf(q: Reader, id: string): Promise<Demand>;
  /** Gives up an attempt that holds more places of a reusable link than its payer may. Returns whether it did. */
  releaseExcess(ctx: WriteContext, attempt: TransactionRow): Promise<boolean>;
  /** The customers of these payment requests, by id: the survivors of those that were merged. */
  customersOf(q: Reader | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Selects the ids of the customer's payment requests: of all, or of the one with this id. */
  idsOfCustomer(q: Reader, customerId: Placeholder, id?: SQL): SQLWrapper;
  /**
   * Selects the id of the payment request if it says the same of its customer: the same address, which is none of
   * `notThese`, or the same address and reference.
   */
  idsWithCustomer(q: Reader, id: SQL, said: SaidOfCustomer, notThese: readonly string[]): SQLWrapper;
  /**
   * The language that it states (BCP 47), null if it states none; its customer; and whether receipts are mailed without
   * anybody asking.
   */
  receiptsOf(q: Reader, id: string): Promise<{ locale: string | null; customerId: string | null; areMailed: boolean }>;
}

export const paymentRequests = step<PaymentRequests>("payment requests");
