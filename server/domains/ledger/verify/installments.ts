// Proof that the installments of a payment request add up to its amount, and when it is due by them.
import { expectThat } from "./fault";
import type { Row } from "./snapshot-store";

/** Compares the amount with the sum of its installments, and the due date with the first that the money does not cover. */
export function proveInstallments(payment: Row): void {
  if (payment.installments === null) return;
  const at = { check: "payment", paymentId: String(payment.id) } as const;
  const installments = readInstallments(String(payment.installments));
  expectThat(installments.length > 0, at, "The installments cannot be read.");
  const sum = installments.reduce((total, { amount }) => total + amount, 0n);
  expectThat(sum === payment.amount, at, `The amount is ${payment.amount}, but the installments add up to ${sum}.`);
  let covered = 0n;
  const open = installments.find(({ amount }) => {
    covered += amount;
    return covered > BigInt(payment.amount_paid ?? 0) - BigInt(payment.amount_reopened ?? 0);
  });
  const due = (open ?? installments.at(-1))?.due ?? null;
  expectThat(payment.due_at === due, at, `due_at is ${payment.due_at}, but the installments say ${due}.`);
}

/** The stored installments; none if the text is not a list of them. */
function readInstallments(text: string): { amount: bigint; due: bigint }[] {
  try {
    const stored = JSON.parse(text) as { amount: number; due_at: number }[];
    return stored.map(({ amount, due_at }) => ({ amount: BigInt(amount), due: BigInt(due_at) }));
  } catch {
    return [];
  }
}
