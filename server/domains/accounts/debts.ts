// Which accounts may be in debt. Transactions supply it: see server/domains/steps.ts.
import type { AnyColumn, SQL } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { step } from "@/server/kit/step";

/**
 * The condition that a payment of the account of this id is disputed, or was lost. Only a dispute takes an account below
 * zero, so few can be in debt.
 */
export const mayBeInDebt = step<(q: Reader, organizationId: string, accountId: AnyColumn) => SQL>("disputed accounts");
