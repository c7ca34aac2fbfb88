// When an invoice is due by the usual terms of payment.
import { dayMs, limits } from "@/server/kit/limits";

const [usual] = limits.invoice.paymentDays;

/** The day some days after another; empty if that is no day, as while its year is typed. */
function daysAfter(day: string, days: number): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? "" : new Date(at + days * dayMs).toISOString().slice(0, 10);
}

/** When an invoice of this day is due, unless its writer chooses another day. */
export const usualDueDay = (issued: string): string => daysAfter(issued, usual);

/** The due day once the invoice has another day: that of a term follows it, and any other stays. */
export function movedDueDay(due: string, from: string, to: string): string {
  const term = due === "" ? undefined : dueDays(from).find(({ day }) => day === due);
  return term === undefined ? due : daysAfter(to, term.days);
}

/** The days on which an invoice of this day is due, by term. */
export const dueDays = (issued: string): { days: number; day: string }[] =>
  limits.invoice.paymentDays.map((days) => ({ days, day: daysAfter(issued, days) }));
