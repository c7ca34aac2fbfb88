// What the soak prints about a violation: the invariant, the step, the facts around it, and how to replay it.
import { dialect } from "@/db/dialect";
import type { Facts } from "../lives/facts";
import type { LifeRun } from "../lives/life";
import { Violation } from "../lives/violation";

export const say = (text = ""): void => console.log(text);

/** The rows about money, one line each. */
function linesOf({ payments, transactions, accounts, charges }: Facts): string[] {
  const open = accounts.map(({ id, status }) => `account ${id} ${status}`);
  const requests = payments.map((row) => {
    const { id, status, amount, amountPaid, amountWaived, amountRefunded, amountOverpaid, canceledAt } = row;
    const money = `${amountPaid} of ${amount}, waived ${amountWaived}, refunded ${amountRefunded}, over ${amountOverpaid}`;
    return `${id} ${status}: ${money}, expires ${row.expiresAt}, captured before ${row.captureBefore}, canceled ${canceledAt}`;
  });
  const movements = transactions.map((row) => {
    const { id, type, status, amount, amountCaptured, amountReleased, amountRefunded, amountRefunding } = row;
    const money = `captured ${amountCaptured}, released ${amountReleased}, refunded ${amountRefunded}+${amountRefunding}`;
    return `${id} ${type} ${status}: ${amount}, ${money}, of ${row.paymentId}, created ${row.createdAt}`;
  });
  const known = charges.map(({ idempotencyKey, kind, status, amountCaptured }) => {
    return `at the provider: ${kind} ${idempotencyKey} ${status}, captured ${amountCaptured}`;
  });
  return [...open, ...requests, ...movements, ...known];
}

/** Prints a violation. `replay` names what was played, as an option of the command. */
export function printViolation(error: unknown, run: LifeRun | null, replay: string): void {
  say();
  if (error instanceof Violation) say(`VIOLATION of invariant ${error.invariant}: ${error.says}`);
  else say(`VIOLATION: ${error instanceof Error ? error.stack : String(error)}`);
  if (run) {
    say(`in step ${run.step}`);
    const [before, after] = [linesOf(run.before), linesOf(run.facts)];
    say(`before, at ${run.before.now}:`);
    for (const line of before) say(`  ${after.includes(line) ? " " : "-"} ${line}`);
    say(`after, at ${run.facts.now}:`);
    for (const line of after) say(`  ${before.includes(line) ? " " : "+"} ${line}`);
  }
  say(`replay: npm run soak -- --engine ${dialect} ${replay}`);
}

/** Prints that the ledger's proof failed after several lives. `replays` name them, as options of the command. */
export function printUnsound(error: unknown, replays: readonly string[]): void {
  say();
  say(`VIOLATION of the whole ledger: ${error instanceof Error ? error.message : String(error)}`);
  say("one of these lives spoiled it, and its replay fails too:");
  for (const replay of replays) say(`  npm run soak -- --engine ${dialect} ${replay}`);
}
