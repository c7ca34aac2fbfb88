// One payment request in a response, with the records that belong to it.
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { creditNotesOfOne } from "./invoices/credit-note-store";
import { presentPayment } from "./present";
import { remindersOfOne } from "./reminder-store";
import { type PaymentRow, transactionIdsOfOne } from "./store";

/** Reads its transactions, reminders and credit notes, and presents it. */
export async function shownPayment(
  ctx: Pick<ReadContext | WriteContext, "db" | "now" | "runtime">,
  row: PaymentRow,
): Promise<ReturnType<typeof presentPayment>> {
  const transactionIds = await transactionIdsOfOne(ctx.db, row.id);
  const reminders = await remindersOfOne(ctx.db, row.id);
  const creditNotes = row.invoiceNumber === null ? [] : await creditNotesOfOne(ctx.db, row.id);
  return presentPayment(row, { transactionIds, reminders, creditNotes }, ctx);
}
