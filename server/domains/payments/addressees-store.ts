// Finds the snapshots of payment requests, for the job that gives them their customers.
import { asc, gt, inArray } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { payments } from "@/db/tables";

const { id, organizationId, accountId, customerId, customer, createdAt } = payments;
const addressee = { id, organizationId, accountId, customerId, customer, createdAt };

/** The customers and snapshots of payment requests of all organizations after an id, in id order. */
export const findAddresseesAfter = (q: Reader, afterId: string, limit: number) =>
  q.select(addressee).from(payments).where(gt(id, afterId)).orderBy(asc(id)).limit(limit);

/** The same of the payment requests with these ids, in id order. */
export const readAddressees = (q: Reader, ids: readonly string[]) =>
  q
    .select(addressee)
    .from(payments)
    .where(inArray(id, [...ids]))
    .orderBy(asc(id));
