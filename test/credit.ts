// Short commands for tests of customers' credit.
import { and, eq } from "drizzle-orm";
import { customerCredits, ledgerAccounts } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { getCustomer } from "@/server/domains/customers/operations/get";
import { applyCredit } from "@/server/domains/payments/operations/apply-credit";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import type { Actor } from "@/server/kit/context";
import { settleNow } from "./money";
import { ask } from "./payer";
import type { World } from "./world";

/** A customer of the actor's account. */
export const newCustomer = async (world: World, actor: Actor, name = "Grace Hopper"): Promise<string> =>
  (await world.call(createCustomer, actor, { name })).customer_id;

/** A payment request to the customer, over an amount in minor units. */
export const askCustomer = async (world: World, actor: Actor, customer_id: string, amount: number, currency = "EUR") =>
  (await ask(world, actor, { amount, currency, customer: { customer_id } })).payment.payment_id;

/** Records money for the payment request, and keeps what is above the amount due as credit. */
export const overpay = (world: World, actor: Actor, payment_id: string, amount: number) =>
  world.call(markPaid, actor, { payment_id, method: "cash", reason: "Paid", amount, overpayment: "credit" });

/** Makes credit by an overpaid payment request. Resolves to the payment that it was made of. */
export async function makeCredit(world: World, actor: Actor, customerId: string, credit: number): Promise<string> {
  const id = await askCustomer(world, actor, customerId, 100);
  const [source = ""] = (await overpay(world, actor, id, 100 + credit)).transaction_ids;
  return source;
}

export const applyTo = (world: World, actor: Actor, payment_id: string, amount?: number) =>
  world.call(applyCredit, actor, { payment_id, amount });

export const refund = (world: World, actor: Actor, parent_transaction_id: string, amount?: number) =>
  world.call(createTransaction, actor, { type: "refund", parent_transaction_id, amount });

/** Lets a refund that has succeeded fail, as a provider may report later. */
export const failLate = (world: World, refundId: string) =>
  settleNow(world, refundId, {
    kind: "refund",
    status: "failed",
    reference: `returned_${refundId}`,
    failure: { code: "returned", message: "The bank returned it." },
  });

export const creditOf = async (world: World, actor: Actor, customer_id: string) =>
  (await world.call(getCustomer, actor, { customer_id })).credit;

/** The customer's credits by source: what is left and what is spent. */
export async function creditsOf(
  world: World,
  customerId: string,
): Promise<Map<string, { left: number; spent: number }>> {
  const rows = await world.runtime.db.read
    .select()
    .from(customerCredits)
    .where(eq(customerCredits.customerId, customerId));
  return new Map(rows.map(({ id, amountLeft: left, amountSpent: spent }) => [id, { left, spent }]));
}

/** What the ledger says is owed to the customer, in EUR. */
export async function owedTo(world: World, customerId: string): Promise<number> {
  const [row] = await world.runtime.db.read
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.name, `cust:${customerId}:credit`), eq(ledgerAccounts.currency, "EUR")));
  return row?.balance ?? 0;
}
