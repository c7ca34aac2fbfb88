// Who has paid, as the form that records a payment shows it.

import type { CustomerHint } from "../../customers/_parts/customer-name-field";
import { isOtherName } from "../../customers/_parts/customer-path";
import type { Request } from "./request-select";

/** A customer who was chosen, or that of the chosen payment request. */
export interface Payer {
  customer_id: string | null;
  name: string | null;
  email: string | null;
}

interface Named {
  customer: string;
  email: string;
}

/** Whether the values name this customer: another name or e-mail address is another customer's. */
export const isPaidBy = (payer: Payer, { customer, email }: Named): boolean =>
  !isOtherName(customer, payer.name) && email.trim() === (payer.email ?? "");

/** What the help says of the values. A payment for a request belongs to the customer of that, whatever is noted. */
export function hintOf(payer: Payer | null, request: Pick<Request, "customer"> | null, values: Named): CustomerHint {
  if (request?.customer?.customer_id && isPaidBy(request.customer, values)) return "ofRequest";
  if (request !== null) return "noted";
  if (payer?.customer_id && isPaidBy(payer, values)) return "known";
  return values.customer.trim() === "" && values.email.trim() === "" ? "choose" : "new";
}
