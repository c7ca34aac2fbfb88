// How a dispute at the provider changes its payment, one step at a time. Pure.
import type { DisputeStatus, UnexpectedDispute } from "@/db/schema/values";
import { disputeLost, disputeOpened, disputeWon } from "@/server/domains/ledger/dispute-journals";
import type { ChargeDispute } from "@/server/domains/providers/provider";
import type { TransactionRow } from "./present";
import type { Change } from "./provider-rules";
import { capturedStatus } from "./rules";

/**
 * How far a dispute has come. The furthest status always wins, so results in any order and any number lead to the same
 * row and the same balances. A loss comes last, since a provider can still take back what was won.
 */
const progress: Readonly<Record<DisputeStatus, number>> = { none: 0, open: 1, won: 2, lost: 3 };

/** A step of a dispute, and the event that announces it. */
interface DisputeStep extends Change {
  event: `dispute.${"opened" | "won" | "lost"}`;
}

/**
 * The next step towards the dispute as the provider reports it; null once it has been reached. If the first report says
 * that the dispute is over, it is opened first, so that its journals and events are always the same. A report that
 * {@link unexpectedIn} names has no step.
 */
export function nextDisputeStep(row: TransactionRow, dispute: ChargeDispute): DisputeStep | null {
  const { disputeStatus } = row;
  if (progress[dispute.status] <= progress[disputeStatus]) return null;
  if (disputeStatus === "open") return dispute.status === "won" ? won(row) : lost(row);
  const opened = {
    amountDisputed: dispute.amount,
    disputeStatus: "open",
    disputeReference: dispute.reference,
  } as const;
  return stepOf(row, opened, "dispute.opened", disputeOpened);
}

/**
 * What a report says that cannot be booked: a payment has one dispute, of an amount that was captured, in its currency.
 * Null if the report can be booked. It must neither hide the money of the charge itself, nor be lost.
 */
export function unexpectedIn(row: TransactionRow, dispute: ChargeDispute): UnexpectedDispute | null {
  const { reference, status, amount, currency } = dispute;
  const isPossible = Number.isSafeInteger(amount) && amount >= 1 && amount <= row.amountCaptured;
  const isSecond = row.disputeReference !== null && reference !== null && row.disputeReference !== reference;
  const isBooked = row.disputeStatus === "open" || row.disputeStatus === "lost";
  const isOther = isBooked && amount !== row.amountDisputed;
  // Without both references, nobody can tell a late report about the first from a second one.
  const isUnnamed = reference === null || row.disputeReference === null;
  const isAgain = isUnnamed && row.disputeStatus === "won" && status === "open";
  if (isPossible && currency === row.currency && !isSecond && !isOther && !isAgain) return null;
  // JSON has no other numbers.
  return { reference, status, amount: Number.isFinite(amount) ? amount : 0, currency };
}

const won = (row: TransactionRow): DisputeStep =>
  stepOf(row, { amountDisputed: 0, disputeStatus: "won" }, "dispute.won", disputeWon);

const lost = (row: TransactionRow): DisputeStep => stepOf(row, { disputeStatus: "lost" }, "dispute.lost", disputeLost);

function stepOf(
  row: TransactionRow,
  patch: Partial<Pick<TransactionRow, "amountDisputed" | "disputeStatus" | "disputeReference">>,
  event: DisputeStep["event"],
  journalOf: typeof disputeOpened,
): DisputeStep {
  const { accountId, currency, provider } = row;
  if (provider === null) throw new Error(`${row.id} has no provider.`);
  const after = { ...row, ...patch };
  const amount = Math.max(row.amountDisputed, after.amountDisputed);
  return {
    patch: { ...patch, status: capturedStatus(after) },
    journals: [journalOf({ accountId, currency, provider, amount })],
    event,
  };
}
