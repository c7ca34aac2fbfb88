// Up to when the ledger is final: nothing more will be booked before that instant.
import type { Reader } from "@/db/client";
import { dialect } from "@/db/dialect";
import { firstActAt } from "@/server/domains/jobs/find-store";
import { advancingFrom, timeOf } from "@/server/domains/organizations/time";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";

/**
 * The instant (epoch milliseconds of the organization's time) before which every entry is booked and can be read. A
 * write reads the clock once it has locked ledger accounts, so one that is open books after it began, and one that has
 * not begun books after now. The clocks of several processes differ a little. While a sandbox clock is being advanced,
 * the acts that are left book at their own instants, but not before the advance began.
 */
export async function finalBefore(runtime: Runtime, q: Reader, organizationId: string): Promise<number> {
  const now = await timeOf(runtime, q, organizationId);
  const movedFrom = await advancingFrom(q, organizationId);
  const act = movedFrom === null ? now : Math.max(movedFrom, (await firstActAt(q, organizationId)) ?? now);
  const age = await runtime.db.oldestWriteAge();
  return Math.min(act, now - age - (dialect === "postgres" ? limits.ledgerSkewMs : 0));
}
