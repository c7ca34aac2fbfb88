// What all transaction types share: the call they receive, and how they write and post their row.
import type { Authorized } from "@/server/access/authorized";
import { may } from "@/server/access/may";
import type { AccountRow } from "@/server/domains/accounts/authorized-account";
import type { Addressed } from "@/server/domains/customers/addressed";
import type { Share } from "@/server/domains/customers/credit-rules";
import { tryPostJournals } from "@/server/domains/ledger/post";
import { available, type CreditPart, type Journal, ledgerAccountId } from "@/server/domains/ledger/rules";
import { balancesById } from "@/server/domains/ledger/store";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import type { TransactionRow } from "../present";
import { announce, insertTransaction, type NewTransactionRow } from "../record";
import { statusEvent } from "../rules";
import type { NewTransaction } from "../schema";
import { refusalOfDate } from "../value-date";

/** The errors of POST /v1/transactions. */
export const createErrors = {
  invalid_request: 400,
  customer_not_found: 400,
  customer_required: 400,
  insufficient_permissions: 400,
  email_not_verified: 400,
  reauthentication_required: 400,
  account_not_found: 400,
  account_closed: 400,
  payment_not_found: 400,
  payment_expired: 400,
  payment_already_paid: 400,
  payment_processing: 400,
  payment_not_payable: 400,
  link_used_up: 400,
  too_many_parts: 400,
  transaction_not_found: 400,
  currency_mismatch: 400,
  same_account_transfer: 400,
  amount_too_large: 400,
  refund_exceeds_captured: 400,
  payment_disputed: 400,
  insufficient_balance: 400,
  balance_limit_exceeded: 400,
  duplicate_reference: 400,
} as const;

/** One call to create a transaction of a type. */
export interface CreateCall<Type extends NewTransaction["type"]> {
  ctx: WriteContext;
  input: Extract<NewTransaction, { type: Type }>;
  fail: Fail<keyof typeof createErrors>;
  organization: { isLive: boolean; membersRecordPayments: boolean };
  /** For a refund: it is refused if it would give back more than its payment request's surplus. */
  onlySurplus?: boolean;
  /** For a payment: the surplus that becomes credit of the payment request's customer, which the caller keeps. */
  surplus?: CreditPart | null;
  /** For a payment that is made of a customer's credit: what can be spent. The caller keeps the customer. */
  credit?: { customerId: string; held: readonly Share[] };
}

/** One call to create a transaction of any type. */
export type AnyCall = Omit<CreateCall<"payment">, "input"> & { input: NewTransaction };

type Filled = "id" | "organizationId" | "accountId" | "amount" | "currency" | "livemode";

/** The columns that a type sets; the input sets the rest. */
type OwnColumns = Pick<NewTransactionRow, "type" | "status" | "direction"> & Addressed & Partial<NewTransactionRow>;

/** Inserts the row: the columns that all types share, overridden by the type's own. */
export async function insertFor(
  call: AnyCall,
  account: Authorized<AccountRow>,
  own: OwnColumns & Partial<Pick<NewTransactionRow, Filled>>,
  money: { amount: number; currency: string },
): Promise<TransactionRow> {
  const { ctx, input, fail, organization } = call;
  const row = await insertTransaction(ctx, {
    id: ctx.id("txn"),
    organizationId: account.organizationId,
    accountId: account.id,
    amount: money.amount,
    currency: money.currency,
    livemode: organization.isLive,
    reference: input.reference ?? null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    effectiveAt: effectiveAt(call),
    ...own,
  });
  return row ?? fail("duplicate_reference");
}

/** When the money moved, or a refusal of an instant at which it cannot have moved. */
function effectiveAt({ ctx: { now }, input, fail }: AnyCall): number {
  const at = input.effective_at ?? now;
  const refusal = refusalOfDate("effective_at", at, now);
  return refusal === null ? Math.min(at, now) : fail("invalid_request", refusal);
}

/** A refusal of money for a closed account that owes less, or nothing. */
const aboveDebt =
  "a closed account takes no money, except that an admin can settle its balance below zero, by at most what is missing";

/** Money for an account; `amount` is 0 once it is posted. */
interface Receipt {
  account: AccountRow;
  field: "account_id" | "destination_account_id";
  amount: number;
  currency: string;
}

/**
 * Refuses money for a closed account beyond what it owes after a dispute, and from anyone but an admin. Call it before
 * the money is posted, and again after that, when its balance is locked.
 */
export async function checkReceiver({ ctx, fail, organization }: AnyCall, receipt: Receipt): Promise<void> {
  const { account, field, amount, currency } = receipt;
  if (account.status === "open") return;
  const book = { organizationId: account.organizationId, livemode: organization.isLive };
  const id = ledgerAccountId(book, available(account.id), currency);
  const [row] = may("transactions.create.onClosedAccount", ctx.actor) ? await balancesById(ctx.db, [id]) : [];
  if (!row || row.balance + amount > 0) fail("account_closed", `${field}: ${aboveDebt}`);
}

/** Posts the transaction's journals. Fails if the balance does not allow them, which is checked under its row lock. */
export async function postFor({ ctx, fail }: AnyCall, row: TransactionRow, journals: Journal[]): Promise<void> {
  const refusal = await tryPostJournals(ctx, {
    organizationId: row.organizationId,
    livemode: row.livemode,
    source: { kind: "transaction", id: row.id },
    // A provider says itself when it moves the money.
    valueAt: row.provider === null ? row.effectiveAt : null,
    journals,
  });
  if (refusal) fail(refusal);
}

/** Whether the caller may move money out of the account. A closed account has a separate rule. */
export const maySpendFrom = (account: Pick<AccountRow, "status">, { actor }: Pick<WriteContext, "actor">): boolean =>
  account.status === "open" || may("transactions.create.onClosedAccount", actor);

/** The columns of a transaction that succeeds at once. */
export const postedAt = (now: number) => ({ status: "succeeded", settledAt: now }) as const;

/** Emits the event of a transaction that succeeded at creation, for types that have one. */
export function announceSuccess({ ctx }: AnyCall, row: TransactionRow): void {
  const event = statusEvent(row.type, row.status);
  if (event) announce(ctx, row, event);
}
