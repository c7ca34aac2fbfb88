// Records and announces requests whose time is over. For readers they had expired at their instant.
import { inBackground } from "@/server/background";
import type { Runtime } from "@/server/kit/runtime";
import { refreshPayment } from "./refresh";
import { overdueIds } from "./store";

const batchSize = 200;

/** Brings overdue requests up to date, each in a transaction of its own; their number. Safe in several processes. */
export async function expirePayments(runtime: Runtime): Promise<number> {
  const ids = await overdueIds(runtime.db.read, runtime.clock.now(), batchSize);
  for (const id of ids) {
    await inBackground(runtime, "payments.expire", async (ctx) => {
      const row = await refreshPayment(ctx, id);
      ctx.audit({ target: id, organizationId: row.organizationId, detail: { status: row.status } });
    });
  }
  return ids.length;
}
