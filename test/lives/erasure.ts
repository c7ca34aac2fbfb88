// Erasing customers in lives: when it is allowed, and a check that nothing of the customer is left.
import { eq } from "drizzle-orm";
import { tables } from "@/db/tables";
import type { World } from "../world";
import type { Facts } from "./facts";
import type { Asked, Scene } from "./scene";
import { must, mustEqual } from "./violation";

type CustomerRow = Facts["customers"][number];

/** The customer and those that were merged into it. */
const familyOf = ({ customers }: Facts, id: string): CustomerRow[] =>
  customers.filter((one) => one.id === id || one.mergedInto === id);

/** Whether nothing is under way that needs what would be erased: no payment of its own requests, subscription or credit. */
export function mayErase(facts: Facts, id: string): boolean {
  const row = facts.customers.find((one) => one.id === id);
  if (!row || row.mergedInto !== null) return false;
  if (row.erasedAt !== null) return true;
  const ids = familyOf(facts, id).map((one) => one.id);
  const isTheirs = (customerId: string | null) => customerId !== null && ids.includes(customerId);
  const own = facts.payments.filter((one) => isTheirs(one.customerId) && one.parentPaymentId === null);
  const isOpen = /^(pending|requires_action|processing|authorized)$/;
  const isBeingPaid = facts.transactions.some(
    ({ type, status, paymentId }) =>
      type === "payment" && isOpen.test(status) && own.some((one) => one.id === paymentId),
  );
  const isLive = facts.subscriptions.some(
    ({ customerId, status }) => isTheirs(customerId) && status !== "canceled" && status !== "ended",
  );
  const hasCredit = facts.credits.some(({ customerId, amountLeft }) => isTheirs(customerId) && amountLeft > 0);
  return !isBeingPaid && !isLive && !hasCredit;
}

/** Whether the customers are of one account, differ, and neither was merged or erased before. */
export function mayMerge({ customers }: Facts, from: string, into: string): boolean {
  const [one, other] = [from, into].map((id) => customers.find((row) => row.id === id));
  const isCurrent = (row: CustomerRow) => row.mergedInto === null && row.erasedAt === null;
  return !!one && !!other && from !== into && one.accountId === other.accountId && isCurrent(one) && isCurrent(other);
}

/** Whether a draft still says to whom it is: its customer was not erased since. */
export function isAddressed({ payments, customers }: Facts, draftId: string): boolean {
  const { customer = null, customerId = null } = payments.find(({ id }) => id === draftId) ?? {};
  if (customer === null) return true;
  if (customerId !== null) return customers.find(({ id }) => id === customerId)?.erasedAt === null;
  const { name, email, reference, metadata } = customer;
  return name !== null || email !== null || reference !== null || Object.keys(metadata).length > 0;
}

/** Whether the payment request has a customer, who was not erased: only such a customer gets credit. */
export function isKnown({ payments, customers }: Facts, paymentId: string): boolean {
  const customerId = payments.find(({ id }) => id === paymentId)?.customerId ?? null;
  return customers.some(({ id, erasedAt }) => id === customerId && erasedAt === null);
}

/** Whether a payment was made of the credit of a customer who was erased: a refund would give credit back to nobody. */
export function isHolderErased({ credits, creditUses, customers }: Facts, paymentId: string): boolean {
  const use = creditUses.find(({ transactionId, kind }) => transactionId === paymentId && kind === "spent");
  const holderId = credits.find(({ id }) => id === use?.creditId)?.customerId;
  return customers.some(({ id, erasedAt }) => id === holderId && erasedAt !== null);
}

/** Whether the customer of the payment request has, or had, a subscription. */
export const isSubscriber = (facts: Facts, { id }: Asked): boolean => {
  const customerId = facts.payments.find((row) => row.id === id)?.customerId ?? null;
  return customerId !== null && facts.subscriptions.some((row) => row.customerId === customerId);
};

/** Remembers the addresses of a customer who is being erased. */
export function noteErased({ erased }: Scene, facts: Facts, id: string): void {
  for (const { email } of familyOf(facts, id)) if (email !== null) erased.set(email.toLowerCase(), facts.now);
}

const nobody = { name: null, email: null, reference: null, metadata: {} };

/** Invariant 26: a customer who was only ever named by payers of links has paid once, because a declined card makes none. */
export function checkMade({ customers, payments, transactions }: Facts): void {
  for (const { id, requestEmailKey } of customers) {
    const own = payments.filter(({ customerId }) => customerId === id);
    const isOfLinks = own.length > 0 && own.every(({ parentPaymentId }) => parentPaymentId !== null);
    if (requestEmailKey === null || !isOfLinks || transactions.some(({ customerId }) => customerId === id)) continue;
    const ids = own.map((use) => use.id);
    const held = transactions.filter((one) => one.amountAuthorized > 0 || one.amountCaptured > 0);
    must(
      held.some(({ paymentId }) => paymentId !== null && ids.includes(paymentId)),
      "26",
      `the customer ${id} has only tried cards on links`,
    );
  }
}

/** Invariant 31: rows about erased customers say nothing about them, whatever happens later. */
export function checkErased({ customers, payments, transactions }: Facts): void {
  const erased = new Map<string | null, number>();
  for (const row of customers) {
    const { name, email, emailKey, phone, address, taxId, reference, metadata } = row;
    if (row.erasedAt === null) continue;
    erased.set(row.id, row.erasedAt);
    const found = [name, email, emailKey, phone, address, taxId, reference, metadata];
    mustEqual(found, [null, null, null, null, null, null, null, {}], "31", `${row.id}, which was erased`);
  }
  if (erased.size === 0) return;
  const own = payments.filter(({ customerId }) => erased.has(customerId));
  for (const { id, customer, customerEmailKey, payerKey } of own) {
    mustEqual(
      [customer ?? nobody, customerEmailKey, payerKey],
      [nobody, null, null],
      "31",
      `${id} of an erased customer`,
    );
  }
  const ends = new Map<string | null, number>(erased);
  for (const { id, customerId } of own) ends.set(id, erased.get(customerId) ?? 0);
  for (const { id, paymentId, customerId, customer, provider, createdAt } of transactions) {
    const erasedAt = ends.get(paymentId) ?? ends.get(customerId);
    // What is recorded by hand may name somebody again.
    if (erasedAt === undefined || (provider === null && createdAt >= erasedAt)) continue;
    mustEqual(customer ?? nobody, nobody, "31", `${id} of ${paymentId}, of an erased customer`);
  }
}

/** Invariant 33: a transaction without a payment request has a customer of its account if it names one; a refund, the payment's. */
export function checkPayers({ customers, transactions }: Facts): void {
  const survivorOf = (id: string | null) => customers.find((row) => row.id === id)?.mergedInto ?? id;
  for (const { id, accountId, customerId, customer, paymentId, parentTransactionId } of transactions) {
    if (paymentId !== null) {
      mustEqual(customerId, null, "33", `the customer of ${id}, which has that of its payment request`);
      continue;
    }
    const parent = transactions.find((row) => row.id === parentTransactionId);
    if (parent)
      mustEqual(survivorOf(customerId), survivorOf(parent.customerId), "33", `the customer of the refund ${id}`);
    const isNamed = (customer?.name ?? customer?.email ?? null) !== null;
    if (isNamed) must(customerId !== null, "33", `${id} has no customer`);
    if (customerId === null) continue;
    const owner = customers.find((row) => row.id === customerId)?.accountId;
    mustEqual(owner, accountId, "33", `the account of the customer of ${id}`);
  }
}

/** Papers keep what they said: the law requires it. */
const kept = ["invoices", "creditNotes"];

/** Invariant 31, once all jobs are done: no table has the address of an erased customer, unless somebody else has it now. */
export async function checkErasedValues({ runtime }: World, { acme, erased }: Scene, facts: Facts): Promise<void> {
  const used = new Set<string>();
  for (const { email } of facts.customers) used.add(email?.toLowerCase() ?? "");
  for (const { customer } of facts.payments) used.add(customer?.email?.toLowerCase() ?? "");
  // A payment that is recorded later may name somebody else than the customer of its payment request.
  for (const { customer, createdAt } of facts.transactions) {
    const email = customer?.email?.toLowerCase() ?? "";
    if (createdAt >= (erased.get(email) ?? 0)) used.add(email);
  }
  const gone = [...erased.keys()].filter((email) => !used.has(email));
  if (gone.length === 0) return;
  for (const [name, table] of Object.entries(tables)) {
    if (kept.includes(name)) continue;
    const select = runtime.db.read.select().from(table);
    if ("organizationId" in table) select.where(eq(table.organizationId, acme.id));
    else if (name !== "idempotencyKeys" && name !== "auditChanges") continue;
    const text = JSON.stringify(await select).toLowerCase();
    for (const email of gone) must(!text.includes(email), "31", `${name} has ${email}, which was erased`);
  }
}
