// Sandbox clocks in tests: moving one, and everything about an organization that its time decides.
import { type AnyColumn, eq, inArray } from "drizzle-orm";
import { events, journals, mails, paymentReminders, payments, transactions } from "@/db/tables";
import { moveSandboxClock } from "@/server/domains/sandbox/operations/move-clock";
import type { Actor } from "@/server/kit/context";
import type { World } from "./world";

/** Moves the clock of the actor's organization by a duration, and carries out what became due. */
export async function moveClock(world: World, actor: Actor, advance: string): Promise<number> {
  const { now, running } = await world.call(moveSandboxClock, actor, { advance });
  if (running) throw new Error("The advance has not ended.");
  return Date.parse(now);
}

type Row = Record<string, unknown>;

/** Columns that differ between two equal organizations: secrets, real times, and how often a row was written. */
const own = [
  "linkNonce",
  "linkKeyId",
  "linkHash",
  "attemptKey",
  "startBefore",
  "providerReference",
  "version",
  "changedAt",
];

/**
 * What an organization's records say, for comparing it with another one that has lived through the same. Ids are
 * numbered in the order in which they first appear, so its payment requests need different amounts.
 */
export async function recordsOf({ runtime: { db } }: World, organizationId: string): Promise<Record<string, Row[]>> {
  const of = <T extends { organizationId: AnyColumn }>(table: T) => eq(table.organizationId, organizationId);
  const q = db.read;
  const requests = await q.select().from(payments).where(of(payments)).orderBy(payments.amount);
  const moved = await q
    .select()
    .from(transactions)
    .where(of(transactions))
    .orderBy(transactions.amount, transactions.type);
  const planned = await q
    .select()
    .from(paymentReminders)
    .where(
      inArray(
        paymentReminders.paymentId,
        requests.map(({ id }) => id),
      ),
    );
  const sent = await q.select().from(mails).where(of(mails));
  const happened = await q.select().from(events).where(of(events));
  const posted = await q.select().from(journals).where(of(journals));
  const names = new Map<string, string>();
  const named = (rows: readonly Row[]): Row[] =>
    rows
      .map((row) => {
        const text = JSON.stringify(row, (key, value) => (own.includes(key) ? undefined : value))
          .replace(/\b(pay|txn|acct|cus|org|usr|mai)_[0-9a-z]{20,}/gi, (id, kind) => {
            const name = names.get(id) ?? (kind === "mai" ? "mail" : `${kind} ${names.size}`);
            names.set(id, name);
            return name;
          })
          .replace(/qtpl_[A-Za-z0-9_-]+|sandbox_\w+_[0-9a-f]{24}/g, "secret")
          .replace(/Account \w{4}\b/g, "Account");
        return text;
      })
      .sort()
      .map((text) => JSON.parse(text) as Row);
  return {
    payments: named(requests),
    transactions: named(moved),
    reminders: named(planned),
    mails: named(sent.map(({ kind, subject, text, paymentId }) => ({ paymentId, kind, subject, text }))),
    events: named(
      happened
        .filter(({ type }) => !type.startsWith("mail."))
        .map(({ objectId, sequence, type, createdAt, data }) => ({ objectId, sequence, type, createdAt, data })),
    ),
    journals: named(posted.map(({ transactionId, event }) => ({ transactionId, event }))),
  };
}
