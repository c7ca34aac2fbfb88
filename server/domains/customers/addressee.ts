// The customer of a payment request or a transaction on the wire: who it is, and its snapshot.
import * as z from "zod";
import * as fields from "@/server/kit/fields";

/** Whom a new payment request or transaction is addressed to. */
export const addressee = z
  .strictObject({
    name: fields.name.nullish(),
    email: fields.email.nullish(),
    reference: fields.reference.nullish(),
    metadata: fields.metadata.nullish(),
    customer_id: fields
      .id(
        "cus",
        "A customer of the same account. Fields that are left out are taken from it, except in a transfer, whose " +
          "receiver reads them. Without it, the customer is found by `reference`, else by `email`, or made. An API key " +
          "needs `customers:read` to name one.",
      )
      .optional(),
  })
  .meta({ id: "CustomerInput", description: "The person or company that pays or is paid." });

export type Addressee = z.output<typeof addressee>;

/** The snapshot of a payment request in a response. */
export const addresseeOut = fields.customerOut
  .extend({ customer_id: fields.idOut("cus", "The customer, if it is known.").nullable() })
  .meta({ id: "PaymentCustomer", description: "The customer as it was when the payment request was made." });
