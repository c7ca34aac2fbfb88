// Proof of disputes: their status agrees with their amount and with the journals of their steps.
import { expectThat } from "./fault";
import type { Row } from "./snapshot-store";

/** How many journals of each step a dispute may have. What was won is opened once more before it is lost. */
const stepsOf: Readonly<Record<string, readonly string[]>> = {
  none: ["0 opened, 0 won, 0 lost"],
  open: ["1 opened, 0 won, 0 lost", "2 opened, 1 won, 0 lost"],
  won: ["1 opened, 1 won, 0 lost"],
  lost: ["1 opened, 0 won, 1 lost", "2 opened, 1 won, 1 lost"],
};

/**
 * Only a captured payment at a provider is disputed, and at most what was captured. Refunds do not lower that bound: one
 * that has failed at the provider may still count here, and the dispute takes its amount too.
 */
export function proveDispute(row: Row, steps: Row | undefined): void {
  const at = { check: "transaction", transactionId: String(row.id) } as const;
  const { type, provider, dispute_status: status } = row;
  const disputed = BigInt(row.amount_disputed ?? 0);
  const known = stepsOf[String(status)] ?? [];
  const mayBe = status === "none" || (type === "payment" && provider !== null);
  expectThat(known.length > 0 && mayBe, at, `A ${type} cannot have the dispute ${status}.`);
  const takesMoney = status === "open" || status === "lost";
  expectThat(takesMoney ? disputed > 0n : disputed === 0n, at, `The dispute is ${status}, but its amount ${disputed}.`);
  const captured = BigInt(row.amount_captured ?? 0);
  expectThat(disputed <= captured, at, `${disputed} was disputed, but only ${captured} was captured.`);
  const posted = `${steps?.opened ?? 0} opened, ${steps?.won ?? 0} won, ${steps?.lost ?? 0} lost`;
  expectThat(known.includes(posted), at, `The dispute is ${status}, but its journals say: ${posted}.`);
}
