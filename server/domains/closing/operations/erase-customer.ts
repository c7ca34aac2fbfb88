// DELETE /v1/customers/{customer_id}: erases the personal data of a customer, and of those that were merged into it.
import * as z from "zod";
import type { Tx } from "@/db/client";
import { LostRace } from "@/db/errors";
import { rules } from "@/server/access/rules";
import { haveCredit } from "@/server/domains/customers/credit-store";
import { shownCustomer } from "@/server/domains/customers/present";
import { describeGone } from "@/server/domains/customers/rules";
import { customer, customerId } from "@/server/domains/customers/schema";
import { type CustomerRow, familyOf, findMerged, lockCustomers, readCustomer } from "@/server/domains/customers/store";
import { progressOf } from "@/server/domains/jobs/progress-store";
import { scheduleOnce, unschedule } from "@/server/domains/jobs/queue";
import { paymentIdsOf } from "@/server/domains/payments/addressees-store";
import { isBeingPaid } from "@/server/domains/payments/attempt-store";
import { forgetCardsOf } from "@/server/domains/payments/methods/forget-later";
import { lockPayments } from "@/server/domains/payments/store";
import { haveLive } from "@/server/domains/subscriptions/store";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { saga } from "@/server/kit/operation";
import { eraseFamily, eraseOn } from "../erased";
import { keptPapers } from "../erased-store";
import { eraseOldPapersOf } from "../old-papers";

const erased = customer
  .extend({
    kept: z.array(z.string()).meta({
      description:
        "Numbers of invoices to the customer and of their credit notes: what they say is kept, because the law requires " +
        "it, for as many years as the organization has chosen (`invoice_retention_years`). At most " +
        `${limits.keptDocuments}, the oldest of each first.`,
      example: ["INV-2026-0001"],
    }),
  })
  .meta({ id: "ErasedCustomer", description: "A customer whose personal data was erased." });

/** The customer to erase, or the response about one that was erased before. */
type Begun = { intent: { customer: string } } | { answer: z.input<typeof erased>; unchanged: true };

/** How long the job waits for this process to erase everything, in milliseconds. */
const patienceMs = 60_000;

export const eraseCustomer = saga({
  id: "customers.erase",
  summary: "Erase a customer",
  description:
    "Erases the personal data of the customer, and of those that were merged into it: in the customer, in `customer` of " +
    "payment requests and transactions, in mails and their addresses, in search words, in saved views that search for " +
    "its e-mail address or reference, in the audit log and in stored responses. Identifiers, amounts, the ledger, " +
    "issued invoices and their credit notes stay, and so does what a description, a reason, the terms of an invoice or " +
    "metadata say. Later payment requests and transactions with the same address make a new customer. This cannot be " +
    "undone; repeating it changes nothing.",
  access: rules["customers.erase"],
  time: "organization",
  rest: { method: "DELETE", path: "/v1/customers/{customer_id}", extension: true },
  input: z.strictObject({ customer_id: customerId }),
  output: erased,
  errors: {
    reauthentication_required: 400,
    insufficient_permissions: 400,
    customer_not_found: 400,
    customer_in_use: 400,
  },
  async begin({ ctx, input, fail }): Promise<Begun> {
    const { db, now } = ctx;
    const family = await lockFamily(ctx, input.customer_id);
    const [row] = family;
    if (!row) return fail("customer_not_found");
    if (row.mergedInto !== null) return fail("customer_not_found", describeGone(row));
    const intent = { customer: row.id };
    if (row.erasedAt !== null) {
      if ((await progressOf(db, "customers.erase", row.id)) !== undefined) return { intent };
      return { answer: await answerOf(db, row), unchanged: true };
    }
    const merged = family.slice(1);
    if (await isInUse(ctx, [row, ...merged])) return fail("customer_in_use");
    const progress = await eraseFamily(db, [row, ...merged], now);
    const { id: objectId, organizationId, accountId } = row;
    await scheduleOnce(ctx, { kind: "customers.erase", organizationId, objectId, afterMs: patienceMs, progress });
    await eraseOldPapersOf(ctx, row);
    await forgetCardsOf(
      ctx,
      family.map(({ id }) => id),
    );
    ctx.audit({ target: row.id, detail: { merged_customer_ids: merged.map(({ id }) => id) } });
    for (const { id: object } of family) {
      ctx.emit({ type: "customer.erased", object, accountId, data: { customer_id: object, account_id: accountId } });
    }
    return { intent };
  },
  /** Resolves to whether everything is erased. If not, the job goes on. */
  async perform({ ctx: { runtime, request }, intent: { customer: id } }): Promise<boolean> {
    const progress = await progressOf(runtime.db.read, "customers.erase", id);
    return progress === undefined || (await eraseOn(runtime, progress, request.signal)) === null;
  },
  async finish({ ctx, intent: { customer: id }, outcome: isComplete }) {
    if (isComplete) await unschedule(ctx, "customers.erase", id);
    ctx.runtime.db.emptyLog();
    ctx.audit({ target: id, detail: { is_complete: isComplete } });
    const row = await readCustomer(ctx.db, id);
    if (!row) throw new Error(`The customer ${id} no longer exists.`);
    return answerOf(ctx.db, row);
  },
});

async function answerOf(q: Tx, row: CustomerRow) {
  const kept = await keptPapers(q, await familyOf(q, row.id), limits.keptDocuments);
  return { ...(await shownCustomer(q, row)), kept };
}

/** The customer and those that were merged into it, locked together, in the order of ids; none for an unknown one. */
async function lockFamily({ db, scope }: WriteContext, id: string): Promise<CustomerRow[]> {
  const idsOfMerged = async () => (await findMerged(db, id)).map((one) => one.id);
  const seen = await idsOfMerged();
  const family = await lockCustomers(db, scope, [id, ...seen]);
  if (family.length > 0 && (await idsOfMerged()).length !== seen.length) {
    throw new LostRace(new Error("Another customer was merged into it meanwhile."));
  }
  return family;
}

/**
 * Whether something about the customers is under way that needs what would be erased. Locks their first payment
 * requests, so that no attempt begins meanwhile. What else must be over before is checked here too.
 */
async function isInUse({ db, now }: WriteContext, family: readonly [CustomerRow, ...CustomerRow[]]): Promise<boolean> {
  const [{ organizationId, accountId }] = family;
  const customerIds = family.map(({ id }) => id);
  const first = { after: "", limit: limits.batch.erase.rows * limits.batch.erase.atOnce };
  const found = await paymentIdsOf(
    db,
    { organizationId, accountId, customerIds, emailKeys: [], references: [], erasedAt: now },
    first,
  );
  await lockPayments(db, found);
  return (await isBeingPaid(db, customerIds)) || (await haveLive(db, customerIds)) || haveCredit(db, customerIds);
}
