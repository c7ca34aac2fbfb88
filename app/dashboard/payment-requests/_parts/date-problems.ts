// How the dates of an invoice contradict each other, or today.
import { dayMs, limits } from "@/server/kit/limits";
import { hasInstallments, type RequestValues } from "./request-values";

const { daysBack } = limits.invoice;

/** What is wrong with the issue date. An empty one becomes `today` when the invoice is issued. */
export function issueDateProblem({ type, issueDate }: RequestValues, today: string): "ahead" | "tooOld" | null {
  if (type !== "invoice" || issueDate === "") return null;
  if (issueDate > today) return "ahead";
  return Date.parse(issueDate) < Date.parse(today) - daysBack * dayMs ? "tooOld" : null;
}

/** Whether an invoice has the due date of the form. Installments have their own. */
const hasDue = (values: RequestValues): boolean =>
  values.type === "invoice" && !hasInstallments(values) && values.due !== "";

/** Whether it is due before its issue date or, without one, before `today`, which is null if it is not issued now. */
export function isDueTooEarly(values: RequestValues, today: string | null): boolean {
  const issued = values.issueDate || today;
  return hasDue(values) && issued !== null && values.due < issued;
}

/** Whether an invoice can no longer be paid when it is due. */
export const endsBeforeDue = (values: RequestValues): boolean =>
  hasDue(values) && values.expires !== "" && values.expires < values.due;
