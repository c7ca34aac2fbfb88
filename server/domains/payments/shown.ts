// Payment requests in a response, with the records that belong to them.
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { creditNotesOf, creditNotesOfOne } from "./invoices/credit-note-store";
import { presentPayment } from "./present";
import { remindersOf, remindersOfOne } from "./reminder-store";
import { type PaymentRow, transactionIdsOfOne } from "./store";
import { transactionIdsOf } from "./transaction-ids-store";

type View = Pick<ReadContext | WriteContext, "db" | "now" | "runtime">;

/** Reads its transactions, reminders and credit notes, and presents it. */
export async function shownPayment(ctx: View, row: PaymentRow): Promise<ReturnType<typeof presentPayment>> {
  const transactionIds = await transactionIdsOfOne(ctx.db, row.id);
  const reminders = await remindersOfOne(ctx.db, row.id);
  const creditNotes = row.invoiceNumber === null ? [] : await creditNotesOfOne(ctx.db, row.id);
  return presentPayment(row, { transactionIds, reminders, creditNotes }, ctx);
}

/** Like {@link shownPayment}, for several, in their order. */
export async function shownPayments(
  ctx: View,
  rows: readonly PaymentRow[],
): Promise<ReturnType<typeof presentPayment>[]> {
  const ids = rows.map((row) => row.id);
  const idsOf = await transactionIdsOf(ctx.db, ids);
  const plannedOf = await remindersOf(ctx.db, ids);
  const invoiced = rows.filter(({ invoiceNumber }) => invoiceNumber !== null);
  const notesOf = await creditNotesOf(
    ctx.db,
    invoiced.map(({ id }) => id),
  );
  return rows.map((row) => {
    const parts = { transactionIds: idsOf(row.id), reminders: plannedOf(row.id), creditNotes: notesOf(row.id) };
    return presentPayment(row, parts, ctx);
  });
}
