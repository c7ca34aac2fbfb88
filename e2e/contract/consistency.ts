// Checks a server's database: prints as JSON what is inconsistent, internally or with the sandbox, and what is open.
import { asc, eq, inArray, isNotNull } from "drizzle-orm";
import { customerCredits, jobs, payments, sandboxOperations, transactions } from "@/db/tables";
import { derivePaymentStatus } from "@/server/domains/payments/derive";
import { attemptColumns } from "@/server/domains/payments/store";
import { totalsOf } from "@/server/domains/payments/totals";
import { parseEnv } from "@/server/process/env";
import { openRuntime } from "@/server/process/runtime";

/** Each status of a sandbox charge, and the status our payment must then have. */
const agreeing: Readonly<Record<string, readonly string[]>> = {
  requires_action: ["requires_action"],
  authorized: ["authorized"],
  succeeded: ["succeeded", "partially_refunded", "refunded"],
  declined: ["failed", "canceled"],
  canceled: ["canceled", "expired", "failed"],
  // The charge never reached the sandbox.
  nothing: ["failed"],
};

async function main(): Promise<void> {
  const { db, close } = await openRuntime(parseEnv(process.env));
  const requests = await db.read.select().from(payments);
  const allAttempts = await db.read
    .select({ paymentId: transactions.paymentId, ...attemptColumns })
    .from(transactions)
    .leftJoin(customerCredits, eq(customerCredits.id, transactions.id))
    .where(eq(transactions.type, "payment"))
    .orderBy(asc(transactions.createdAt), asc(transactions.id));
  const wrong: string[] = [];
  for (const row of requests) {
    const attempts = allAttempts.filter((attempt) => attempt.paymentId === row.id);
    const status = derivePaymentStatus({ ...row, attempts }, row.updatedAt);
    if (status !== row.status) wrong.push(`${row.id} is ${row.status}, not ${status}`);
    for (const [name, sum] of Object.entries(totalsOf({ ...row, attempts }))) {
      if (row[name as keyof typeof row] !== sum) wrong.push(`${row.id} has a wrong ${name}; expected ${sum}`);
    }
  }
  const rows = await db.read
    .select({ transaction: transactions, atSandbox: sandboxOperations })
    .from(transactions)
    .leftJoin(sandboxOperations, eq(sandboxOperations.idempotencyKey, transactions.id))
    .where(isNotNull(transactions.provider));
  for (const { transaction, atSandbox } of rows) {
    const { id, type, status, amountCaptured } = transaction;
    const isRight =
      type === "refund"
        ? atSandbox?.status === status
        : agreeing[atSandbox?.status ?? "nothing"]?.includes(status) &&
          amountCaptured === (atSandbox?.amountCaptured ?? 0);
    if (!isRight)
      wrong.push(`${type} ${id} is ${status} with ${amountCaptured}, the sandbox says ${atSandbox?.status}`);
  }
  const inDoubt = await db.read.$count(transactions, inArray(transactions.status, ["processing", "pending"]));
  const dead = await db.read.$count(jobs, eq(jobs.status, "dead"));
  console.log(JSON.stringify({ requests: requests.length, transactions: rows.length, inDoubt, dead, wrong }));
  await close();
}

await main();
