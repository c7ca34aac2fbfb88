// Finds the payment request that an attempt belongs to.
import { eq } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { preparedOne, slot } from "@/db/prepared";
import { accounts, payments, storedMethods, transactions } from "@/db/tables";
import { isId } from "@/server/kit/ids";
import type { LinkedPayment } from "./store";

const linkedByTransaction = preparedOne("payments.by_transaction", (q: Reader) =>
  q
    .select({ payment: payments, account: accounts })
    .from(transactions)
    .innerJoin(payments, eq(payments.id, transactions.paymentId))
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(eq(transactions.id, slot("id"))),
);

const linkedByMethod = preparedOne("payments.by_method", (q: Reader) =>
  q
    .select({ payment: payments, account: accounts })
    .from(storedMethods)
    .innerJoin(payments, eq(payments.id, storedMethods.paymentId))
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(eq(storedMethods.id, slot("id"))),
);

/** The payment request of an attempt to pay or to store a card, with its account. */
export const findByAttempt = (q: Reader, id: string): Promise<LinkedPayment | undefined> =>
  isId("sme", id) ? linkedByMethod(q, { id }) : linkedByTransaction(q, { id });
