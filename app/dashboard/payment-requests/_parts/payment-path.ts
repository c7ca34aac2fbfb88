// The addresses of a payment request in the dashboard.

const list = "/dashboard/payment-requests";

/** The list that contains payment requests of a type. */
export const listOf = (type: string | undefined, t: (name: "back" | "backToInvoices") => string) =>
  type === "invoice" ? { href: "/dashboard/invoices", label: t("backToInvoices") } : { href: list, label: t("back") };

export const paymentPath = (id: string): string => `${list}/${id}`;

/** The form that changes it; that of a draft saves itself. */
export const editPath = (id: string): string => `${paymentPath(id)}/edit`;

/** Its page, with the panel that confirms its creation. */
export const createdPath = (id: string): string => `${paymentPath(id)}?created=true`;
