// The values of the form that an invoice states beside its amount, and what they say in an API request.
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/pipeline/trpc-router";

type Terms = NonNullable<inferRouterInputs<AppRouter>["payments"]["create"]["invoice"]>;
type Saved = inferRouterOutputs<AppRouter>["payments"]["get"]["invoice"];

/** Every field as its text. */
export interface InvoiceValues {
  issueDate: string;
  serviceFrom: string;
  serviceTo: string;
  purchaseOrder: string;
  notes: string;
  paymentTerms: string;
}

export const blankInvoice: InvoiceValues = {
  ...{ issueDate: "", serviceFrom: "", serviceTo: "", purchaseOrder: "", notes: "", paymentTerms: "" },
};

/** The values of a saved payment request. */
export const savedInvoice = (terms: Saved): InvoiceValues => ({
  issueDate: terms?.issue_date ?? "",
  serviceFrom: terms?.service_from ?? "",
  serviceTo: terms?.service_to ?? "",
  purchaseOrder: terms?.purchase_order ?? "",
  notes: terms?.notes ?? "",
  paymentTerms: terms?.terms ?? "",
});

/** The terms of an invoice, as far as there are any; undefined for other types. */
export function invoiceOf(values: InvoiceValues & { type: string }): Terms | undefined {
  if (values.type !== "invoice") return undefined;
  const terms = {
    issue_date: values.issueDate,
    service_from: values.serviceFrom,
    service_to: values.serviceTo,
    purchase_order: values.purchaseOrder.trim(),
    notes: values.notes.trim(),
    terms: values.paymentTerms.trim(),
  };
  const given = Object.entries(terms).filter(([, text]) => text !== "");
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Whether the service ends before it begins. */
export const endsTooEarly = ({ serviceFrom, serviceTo }: InvoiceValues): boolean =>
  serviceFrom !== "" && serviceTo !== "" && serviceTo < serviceFrom;
