// Erases the personal data of a customer wherever it is: some batches at once, the rest in a job.
import * as z from "zod";
import type { Tx } from "@/db/client";
import { emailKeyOf } from "@/server/domains/customers/rules";
import { type CustomerRow, eraseCustomers, findByReference, isEmailOfOthers } from "@/server/domains/customers/store";
import type { Later } from "@/server/domains/jobs/runner";
import type { Progress } from "@/server/domains/jobs/store";
import { forgetMails, forgetObjects, forgetPayments } from "@/server/domains/mails/store";
import { lockAddressed, paymentIdsOf } from "@/server/domains/payments/addressees-store";
import { cancelUnconfirmed } from "@/server/domains/payments/links/cancel-uses";
import { rewriteWords } from "@/server/domains/payments/search-words";
import { eraseSnapshots } from "@/server/domains/payments/store";
import { eraseAuditChanges, formerValues } from "@/server/domains/records/audit-store";
import { inBackground } from "@/server/domains/records/in-background";
import { eraseAbout, eraseOfPayments } from "@/server/domains/transactions/erasure";
import { eraseViews } from "@/server/domains/views/erasure";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { findMailsTo } from "./erased-store";
import { eraseAnswers } from "./stored-answers";

const { rows: limit, atOnce, runs } = limits.batch.erase;

const parts = ["payments", "transactions", "mails", "views", "confirmations", "answers"] as const;

/**
 * By what the rest is found, and where the erasure continues. Gone with the job once everything is erased. What another
 * version adds is ignored.
 */
export const erasing = z.object({
  organizationId: z.string(),
  accountId: z.string(),
  /** The customer, and those that were merged into it. */
  customerIds: z.array(z.string()),
  emailKeys: z.array(z.string()),
  references: z.array(z.string()),
  /** What came later belongs to somebody else, who may have got the address. Epoch ms. */
  erasedAt: z.int(),
  part: z.enum(parts),
  after: z.string(),
});
type Erasing = z.infer<typeof erasing>;

/**
 * Erases customers, which the caller has locked: one, and those that were merged into it. Then erases the first batches
 * of what else is about them. Resolves to where the rest begins.
 */
export async function eraseFamily(tx: Tx, family: readonly [CustomerRow, ...CustomerRow[]], now: number) {
  const [{ organizationId, accountId }] = family;
  const customerIds = family.map(({ id }) => id);
  const keys = await keysOf(tx, family);
  await eraseCustomers(tx, customerIds, now);
  for (const id of customerIds) await eraseAuditChanges(tx, id);
  let at: Erasing = { organizationId, accountId, customerIds, ...keys, erasedAt: now, part: "payments", after: "" };
  for (let batch = 0; batch < atOnce && at.part !== "confirmations"; batch++) at = await eraseBatch(tx, at, now);
  return at;
}

/**
 * The references and folded addresses that these customers have or had, without those that another customer of the
 * account has now.
 */
async function keysOf(tx: Tx, family: readonly [CustomerRow, ...CustomerRow[]]) {
  const [{ accountId }] = family;
  const customerIds = family.map(({ id }) => id);
  const addresses = [...family.map(({ email }) => email), ...(await formerValues(tx, customerIds, "email"))];
  const names = [...family.map(({ reference }) => reference), ...(await formerValues(tx, customerIds, "reference"))];
  const keys = new Set(addresses.map(emailKeyOf).filter((key) => key !== null));
  const emailKeys = await onlyOwn(tx, { accountId, customerIds }, [...keys]);
  const references: string[] = [];
  for (const name of new Set(names)) {
    const found = name === null ? undefined : await findByReference(tx, accountId, name);
    if (name !== null && (found === undefined || customerIds.includes(found.id))) references.push(name);
  }
  return { emailKeys, references };
}

/** Those of the folded addresses that no other customer of the account has. */
async function onlyOwn(
  tx: Tx,
  { accountId, customerIds }: Pick<Erasing, "accountId" | "customerIds">,
  emailKeys: readonly string[],
): Promise<string[]> {
  const own: string[] = [];
  for (const key of emailKeys) if (!(await isEmailOfOthers(tx, accountId, key, customerIds))) own.push(key);
  return own;
}

/** Erases one batch of one part. Locks its rows. Idempotent. */
async function eraseBatch(tx: Tx, at: Erasing, now: number): Promise<Erasing> {
  const { organizationId, after } = at;
  const about = { organizationId, nobody: nobodyOf(at), now };
  const next = (ids: readonly string[]): Erasing => {
    const last = ids.length < limit ? undefined : ids.at(-1);
    return last === undefined ? { ...at, part: following(at.part), after: "" } : { ...at, after: last };
  };
  if (at.part === "payments") {
    const found = await paymentIdsOf(tx, at, { after, limit });
    const ids = await lockAddressed(tx, at, found);
    await eraseSnapshots(tx, ids, at.customerIds[0] ?? "");
    await rewriteWords(tx, ids);
    await eraseOfPayments(tx, ids);
    await forgetPayments(tx, ids, about);
    return next(found);
  }
  if (at.part === "transactions") {
    const { ids, emailKeys: written } = await eraseAbout(tx, at, { after, limit });
    const emailKeys = await onlyOwn(tx, at, written);
    await forgetObjects(tx, { ...about, emailKeys, objectIds: ids });
    return next(ids);
  }
  if (at.part === "views") {
    const values = [...at.emailKeys, ...at.references];
    return next(await eraseViews(tx, { organizationId, accountId: at.accountId, values }, { after, limit }));
  }
  const ids = await findMailsTo(tx, at, { after, limit });
  await forgetMails(tx, ids, about);
  return next(ids);
}

const following = (part: Erasing["part"]): Erasing["part"] => parts[parts.indexOf(part) + 1] ?? "answers";

/** What replaces the address in mails. */
const nobodyOf = ({ customerIds: [id = ""] }: Erasing): string => `erased+${id}`;

/** The job: erases the rest, batch by batch. Idempotent. */
export async function eraseRest(
  runtime: Runtime,
  _customerId: string,
  signal: AbortSignal,
  saved: Progress,
): Promise<Later | undefined> {
  const progress = await eraseOn(runtime, saved, signal);
  // Ending the job commits.
  runtime.db.emptyLog();
  return progress === null ? undefined : { again: runtime.clock.now(), progress };
}

/** Erases many batches from where another run ended. Resolves to where it continues; null once everything is erased. */
export async function eraseOn(runtime: Runtime, saved: Progress, signal: AbortSignal): Promise<Progress> {
  let at = erasing.parse(saved);
  for (let run = 0; run < runs && !signal.aborted; run++) {
    if (at.part === "answers") {
      const last = await eraseAnswers()(runtime, at.organizationId, at.after);
      if (last === null) return null;
      at = { ...at, after: last };
    } else if (at.part === "confirmations") {
      const { customerIds } = at;
      const isLast = await inBackground(runtime, "customers.erase", (ctx) => cancelUnconfirmed(ctx, customerIds));
      if (isLast) at = { ...at, part: following(at.part), after: "" };
    } else {
      const from = at;
      at = await runtime.db.write((tx) => eraseBatch(tx, from, runtime.clock.now()));
    }
  }
  return at;
}
