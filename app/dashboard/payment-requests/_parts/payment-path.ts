// The addresses of a payment request in the dashboard.

const list = "/dashboard/payment-requests";

/** The form for a new one. */
const newPath = `${list}/new`;

/** The list that contains payment requests of a type. */
export const listOf = (type: string | undefined, t: (name: "back" | "backToInvoices") => string) =>
  type === "invoice" ? { href: "/dashboard/invoices", label: t("backToInvoices") } : { href: list, label: t("back") };

/** The lists that have a form for a new payment request of their own, which chooses its type. */
const newLists: Partial<Record<string, string>> = {
  invoice: "/dashboard/invoices",
  subscription: "/dashboard/subscriptions",
};

/** The list that the form for a new payment request belongs to; undefined for other pages and types. */
export const newListOf = (path: string, type: string | null): string | undefined =>
  path === newPath ? newLists[type ?? ""] : undefined;

export const paymentPath = (id: string): string => `${list}/${id}`;

/** The form that changes it; that of a draft saves itself. */
export const editPath = (id: string): string => `${paymentPath(id)}/edit`;

/** The PDF of its invoice. */
export const invoicePdfPath = (id: string): string => `${paymentPath(id)}/invoice.pdf`;

/** Its page, with the panel that confirms its creation. */
export const createdPath = (id: string): string => `${paymentPath(id)}?created=true`;
