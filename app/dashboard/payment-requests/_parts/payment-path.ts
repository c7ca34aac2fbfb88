// The addresses of a payment request in the dashboard.

const list = "/dashboard/payment-requests";

export const paymentPath = (id: string): string => `${list}/${id}`;

/** The form that changes it; that of a draft saves itself. */
export const editPath = (id: string): string => `${paymentPath(id)}/edit`;

/** Its page, with the panel that confirms its creation. */
export const createdPath = (id: string): string => `${paymentPath(id)}?created=true`;
