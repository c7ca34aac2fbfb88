// The customer of a payment request on the wire: its snapshot, and whose it is.
import type * as z from "zod";
import * as fields from "@/server/kit/fields";

/** Whom a new payment request is addressed to. */
export const addressee = fields.customer
  .extend({
    customer_id: fields
      .id(
        "cus",
        "A customer of the same account. Fields that are left out are taken from it. Without it, the customer is found " +
          "by `reference`, else by `email`, or made. An API key needs `customers:read` to name one.",
      )
      .optional(),
  })
  .meta({ id: "PaymentCustomerInput", description: "Whom the payment request is addressed to." });

export type Addressee = z.output<typeof addressee>;

/** The same in a response. */
export const addresseeOut = fields.customerOut
  .extend({ customer_id: fields.idOut("cus", "The customer, if it is known.").nullable() })
  .meta({ id: "PaymentCustomer", description: "The customer as it was when the payment request was made." });
