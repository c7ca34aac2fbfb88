// Sandbox clocks in tests: moving one, and everything about an organization that its time decides.
import { asc, eq } from "drizzle-orm";
import { customerCredits, events, journals, mails, paymentReminders, payments, transactions } from "@/db/tables";
import { moveSandboxClock } from "@/server/domains/sandbox/operations/clock";
import type { Actor } from "@/server/kit/context";
import type { World } from "./world";

/** Moves the clock of the actor's organization by a duration, and carries out what became due. */
export async function moveClock(world: World, actor: Actor, advance: string): Promise<number> {
  const { now, running } = await world.call(moveSandboxClock, actor, { advance });
  if (running) throw new Error("The advance has not ended.");
  return Date.parse(now);
}

type Row = Record<string, unknown>;

/** Columns that differ between two equal organizations: secrets and real times. */
const own = ["linkNonce", "linkKeyId", "linkHash", "attemptKey", "startBefore", "providerReference", "searchText"];

/**
 * What an organization's records say, for comparing it with another one that lived through the same: ids are numbered in
 * the order in which they first appear.
 */
export async function recordsOf({ runtime: { db } }: World, organizationId: string): Promise<string> {
  const q = db.read;
  const all: Record<string, Row[]> = {
    payments: await q
      .select()
      .from(payments)
      .where(eq(payments.organizationId, organizationId))
      .orderBy(payments.createdAt, payments.amount),
    transactions: await q
      .select()
      .from(transactions)
      .where(eq(transactions.organizationId, organizationId))
      .orderBy(transactions.createdAt, transactions.amount),
    reminders: (
      await q
        .select({ row: paymentReminders, of: payments.amount })
        .from(paymentReminders)
        .innerJoin(payments, eq(payments.id, paymentReminders.paymentId))
        .where(eq(payments.organizationId, organizationId))
        .orderBy(payments.amount, paymentReminders.plannedAt, asc(paymentReminders.offsetDays))
    ).map(({ row }) => row),
    credits: await q
      .select()
      .from(customerCredits)
      .where(eq(customerCredits.organizationId, organizationId))
      .orderBy(customerCredits.createdAt),
    events: (await q.select().from(events).where(eq(events.organizationId, organizationId)).orderBy(events.createdAt))
      .filter(({ type }) => !type.startsWith("mail."))
      .map(({ id: _, ...row }) => row)
      .sort(byText),
    journals: (
      await q
        .select({ event: journals.event, transactionId: journals.transactionId })
        .from(journals)
        .where(eq(journals.organizationId, organizationId))
    ).map((row) => row),
    mails: (await q.select().from(mails).where(eq(mails.organizationId, organizationId))).map(
      ({ kind, subject, text, paymentId }) => ({ kind, subject, text, paymentId }),
    ),
  };
  const names = new Map<string, string>();
  const named = (id: string) => {
    const name = names.get(id) ?? `${id.split("_")[0]} ${names.size}`;
    names.set(id, name);
    return name;
  };
  const text = JSON.stringify(all, (key, value) => (own.includes(key) ? undefined : value), 1)
    .replace(/\b(?:pay|txn|acct|cus|org|usr|mai|evt|jrn|crd)_[0-9a-z]{20,}/gi, named)
    .replace(/qtpl_[A-Za-z0-9_-]+|sandbox_\w+_[0-9a-f]{24}/g, "secret");
  return text;
}

const byText = (a: Row, b: Row): number => {
  const [one, other] = [a, b].map(({ createdAt, type, sequence, data }) =>
    JSON.stringify([createdAt, type, sequence, (data as Row).amount]),
  );
  return (one ?? "") < (other ?? "") ? -1 : 1;
};
