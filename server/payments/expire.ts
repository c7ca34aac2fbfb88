// Records and announces that a request's time is over. For readers it had expired at its instant.
import { inBackground } from "@/server/background";
import type { Runtime } from "@/server/kit/runtime";
import { statusAt } from "./derive";
import { refreshPayment } from "./refresh";
import { holdPayment } from "./store";

/** Brings the request up to date if its time has changed its status. Idempotent. */
export async function expirePayment(runtime: Runtime, paymentId: string): Promise<undefined> {
  await inBackground(runtime, "payments.expire", async (ctx) => {
    const row = await holdPayment(ctx.db, paymentId);
    if (!row || statusAt(row, ctx.now) === row.status) return;
    const after = await refreshPayment(ctx, paymentId);
    ctx.audit({ target: paymentId, organizationId: row.organizationId, detail: { status: after.status } });
  });
  return undefined;
}
