// The job that has a stored card forgotten at its provider once no subscription needs it.
import type { Reader } from "@/db/client";
import type { Later } from "@/server/domains/jobs/runner";
import {
  isBeingStored,
  type MethodRow,
  othersOfCard,
  readMethod,
  updateMethod,
} from "@/server/domains/payments/methods/store";
import { lockPayment, readPayment } from "@/server/domains/payments/store";
import { inTime } from "@/server/domains/providers/in-time";
import { providerFor } from "@/server/domains/providers/registry";
import { inBackground } from "@/server/domains/records/in-background";
import { minuteMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { isLive } from "./rules";
import { readSubscription } from "./store";

const task = "payments.forget_method";

/** How long the job waits for a charge that is under way. */
const patienceMs = 10 * minuteMs;

/**
 * Asks the provider to forget the card, outside any transaction, and then removes its reference here. A card that a
 * subscription charges is left alone. If another row has the same reference and is needed, the provider is not asked.
 * No unused card is used again, so nothing changes between the look and the call. A lost answer or a restart repeats the
 * call. Idempotent.
 */
export async function forgetCard(runtime: Runtime, id: string): Promise<Later | undefined> {
  const { read } = runtime.db;
  const method = await readMethod(read, id);
  const reference = method?.providerReference ?? null;
  if (!method || reference === null) return undefined;
  const role = await roleOf(read, method);
  if (role === "charged") return undefined;
  if (role === "busy") return { again: runtime.clock.now() + patienceMs };
  if (!(await isShared(read, method, reference))) {
    const provider = providerFor(runtime, method.provider, method.livemode);
    await inTime((signal) => provider.forget(reference, signal));
  }
  await inBackground(runtime, task, async (ctx) => {
    await lockPayment(ctx.db, method.paymentId);
    await updateMethod(ctx.db, id, { providerReference: null });
    ctx.audit({ target: method.paymentId, organizationId: method.organizationId, detail: { forgotten_method: id } });
  });
  return undefined;
}

/** Whether a subscription charges the card, may be charging it right now because a charge is under way, or neither. */
async function roleOf(q: Reader, { id, paymentId }: MethodRow): Promise<"charged" | "busy" | "unused"> {
  const payment = await readPayment(q, paymentId);
  const row = payment?.subscriptionId == null ? undefined : await readSubscription(q, payment.subscriptionId);
  if (row && isLive(row) && row.methodId === id) return "charged";
  // What is under way is settled.
  return row && row.attemptId !== null ? "busy" : "unused";
}

/** Whether the same reference is that of a card which is needed. */
async function isShared(q: Reader, method: MethodRow, reference: string): Promise<boolean> {
  for (const other of await othersOfCard(q, method)) if ((await roleOf(q, other)) !== "unused") return true;
  return isBeingStored(q, method.provider, reference);
}
