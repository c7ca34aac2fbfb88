// Erases what invoices and credit notes say about an erased customer, once the years are over for which they are kept.
import { familyOf, readCustomer } from "@/server/domains/customers/store";
import { schedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { organizationById } from "@/server/domains/organizations/organization";
import { eraseCreditNotes } from "@/server/domains/payments/invoices/credit-note-store";
import { eraseInvoices } from "@/server/domains/payments/invoices/store";
import { inBackground } from "@/server/domains/records/in-background";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { keptPapers } from "./erased-store";

const task = "customers.erase_papers";

/** The next 2 January in UTC: by then the year before is over in every time zone. */
function nextLook(now: number): number {
  const year = new Date(now).getUTCFullYear();
  const inThisYear = Date.UTC(year, 0, 2);
  return now < inThisYear ? inThisYear : Date.UTC(year + 1, 0, 2);
}

interface Erased {
  id: string;
  organizationId: string;
}

/** Begins the erasure of the papers to an erased customer, if there are any: some may have been kept long enough. */
export async function eraseOldPapersOf(ctx: WriteContext, { id: objectId, organizationId }: Erased): Promise<void> {
  if ((await keptPapers(ctx.db, await familyOf(ctx.db, objectId), 1)).length === 0) return;
  await schedule(ctx, { kind: task, organizationId, objectId, dueAt: ctx.now });
}

/**
 * The job: looks once a year for papers whose years are over, as many as the organization has chosen by then. Ends with
 * the last paper. Idempotent.
 */
export async function eraseOldPapers(runtime: Runtime, customerId: string): Promise<Later | undefined> {
  const limit = limits.batch.erase.rows;
  return inBackground(runtime, task, async (ctx) => {
    const { db, now } = ctx;
    const row = await readCustomer(db, customerId);
    if (!row) return undefined;
    const { invoiceRetentionYears } = await organizationById(db, row.organizationId);
    const customerIds = await familyOf(db, customerId);
    // On 1 January the year before is not over in every time zone.
    const lastYear = new Date(nextLook(now)).getUTCFullYear() - 2 - invoiceRetentionYears;
    const old = { customerIds, lastYear, limit };
    const invoices = await eraseInvoices(db, old, now);
    const notes = await eraseCreditNotes(db, old, now);
    if (invoices + notes > 0) {
      const detail = { erased_invoices: invoices, erased_credit_notes: notes };
      ctx.audit({ target: customerId, organizationId: row.organizationId, detail });
    }
    if (invoices === limit || notes === limit) return { again: now, isAct: true };
    const isLeft = (await keptPapers(db, customerIds, 1)).length > 0;
    return isLeft ? { again: nextLook(now), isAct: true } : undefined;
  });
}
