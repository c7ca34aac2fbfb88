// What a transaction's page needs besides the transaction: account names, refunds, postings, and what the reader may
// do.
import { userMay } from "@/app/_trpc/may";
import { api, type Outputs } from "@/app/_trpc/server";
import { limits } from "@/server/kit/limits";
import { refundableAmount } from "./refundable-amount";
import { accountNames } from "./visible-accounts";

type Transaction = Outputs["transactions"]["get"];
type User = Outputs["users"]["current"];
type List = Outputs["transactions"]["list"];

export interface TransactionContext {
  /** The names of accounts that the reader may see, by id. */
  names: Readonly<Record<string, string>>;
  /** The payment request that it counts towards. */
  request: Outputs["payments"]["get"] | null;
  /** The payment that a refund returns. */
  parent: Transaction | null;
  refunds: List;
  journals: Outputs["transactions"]["postings"]["data"];
  refund: {
    /** The refundable amount in minor units. */
    remaining: number;
    /** The sum of pending refunds, in minor units. */
    underWay: number;
    mayRefund: boolean;
  };
}

const noRefunds: List = { data: [], has_more: false, next_cursor: null, total_count: 0, total_is_estimate: false };

export async function contextOf(transaction: Transaction, user: User): Promise<TransactionContext> {
  const { transaction_id, account_id, destination_account_id, parent_transaction_id, payment_id } = transaction;
  const caller = await api();
  const isPayment = transaction.type === "payment";
  const [{ data: journals }, request, parent, refunds, underWay, account] = await Promise.all([
    caller.transactions.postings({ transaction_id }),
    payment_id === null ? null : caller.payments.get({ payment_id }),
    parent_transaction_id === null ? null : caller.transactions.get({ transaction_id: parent_transaction_id }),
    isPayment
      ? caller.transactions.list({
          parent_transaction_id: transaction_id,
          limit: limits.shownRefunds,
          include_total: true,
        })
      : noRefunds,
    isPayment ? refundsUnderWay(transaction_id) : 0,
    isPayment ? caller.accounts.get({ account_id }) : null,
  ]);
  const names = await accountNames([
    account_id,
    destination_account_id,
    ...journals.flatMap(({ lines }) => lines.map((line) => line.account_id)),
  ]);
  const remaining = refundableAmount(transaction, underWay);
  const mayRefund = isPayment && account?.status === "open" && userMay(user, "transactions.create.refund");
  return { names, request, parent, refunds, journals, refund: { remaining, underWay, mayRefund } };
}

/** The sum of the refunds that the provider has not confirmed yet, in minor units. */
async function refundsUnderWay(parent_transaction_id: string): Promise<number> {
  const caller = await api();
  const { data } = await caller.transactions.list({
    parent_transaction_id,
    status: ["pending"],
    limit: limits.page.max,
  });
  return data.reduce((sum, { amount }) => sum + amount, 0);
}
