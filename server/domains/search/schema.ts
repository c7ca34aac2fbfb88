// The wire schemas of the search over everything: of each record what tells it apart in a list of suggestions.
import * as z from "zod";
import { account } from "@/server/domains/accounts/schema";
import { customer as customerRecord } from "@/server/domains/customers/schema";
import { payment } from "@/server/domains/payments/schema";
import { subscription } from "@/server/domains/subscriptions/schema";
import { transaction } from "@/server/domains/transactions/schema";
import { user } from "@/server/domains/users/schema";
import { searchText } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";

const foundOf = <T extends z.ZodType>(item: T) => z.array(item).max(limits.foundOfKind);
const customer = { customer_name: z.string().nullable(), customer_email: z.string().nullable() };

export const findInput = z.strictObject({ q: searchText });

export const found = z.strictObject({
  payments: foundOf(
    payment
      .pick({
        ...{ payment_id: true, status: true, amount: true, amount_lost: true, currency: true, paused: true },
        ...{ description: true, reference: true, invoice_number: true },
      })
      .extend(customer),
  ),
  subscriptions: foundOf(
    subscription
      .pick({ subscription_id: true, status: true, amount: true, currency: true })
      .extend({ description: z.string().nullable(), ...customer }),
  ),
  transactions: foundOf(
    transaction
      .pick({
        ...{ transaction_id: true, type: true, status: true, amount: true, currency: true },
        ...{ description: true, reference: true, created_at: true },
      })
      .extend(customer),
  ),
  customers: foundOf(
    customerRecord.pick({ customer_id: true, name: true, email: true, reference: true, created_at: true }),
  ),
  accounts: foundOf(account.pick({ account_id: true, account_name: true, email: true, status: true })),
  users: foundOf(user.pick({ user_id: true, name: true, email: true, role: true, status: true })),
});

export type Found = z.input<typeof found>;
