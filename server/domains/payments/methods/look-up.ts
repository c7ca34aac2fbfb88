// The job that asks the provider what became of an attempt to store a card without money, like the look-up of a charge.
import type { Later } from "@/server/domains/jobs/runner";
import { inTime } from "@/server/domains/providers/in-time";
import type { ChargeResult, PaymentProvider } from "@/server/domains/providers/provider";
import { providerFor } from "@/server/domains/providers/registry";
import { inBackground } from "@/server/domains/records/in-background";
import { mayArriveForMs } from "@/server/domains/transactions/charge-times";
import { limits, minuteMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { readPayment } from "../store";
import { settleMethod } from "./settle";
import { findMethod, type MethodRow, readMethod } from "./store";

const task = "payments.look_up_method";

/**
 * Asks the provider about the attempt and settles the answer. An attempt that the provider does not know is given up once
 * it can no longer arrive, and a confirmation that nobody gave ends. Idempotent.
 */
export async function lookUpMethod(runtime: Runtime, id: string): Promise<Later | undefined> {
  const found = await findMethod(runtime.db.read, id);
  if (!found || isOver(found.method)) return undefined;
  const { method, databaseTime } = found;
  const provider = providerFor(runtime, method.provider, method.livemode);
  const now = runtime.clock.now();
  const payment = await readPayment(runtime.db.read, method.paymentId);
  const left = mayArriveForMs(method, { databaseTime, now });
  const mustEnd = payment?.canceledAt != null || now >= method.createdAt + limits.charge.confirmMs;
  const result = await inTime((signal) => outcomeOf(provider, { method, payment, left, mustEnd }, signal));
  if (result === null) return { again: now + left };
  const after = await inBackground(runtime, task, async (ctx) => {
    const row = await settleMethod(ctx, id, result);
    ctx.audit({ target: id, organizationId: row.organizationId, detail: { found: result.status } });
    return row;
  });
  if (isOver(after)) return undefined;
  const confirmBy = method.createdAt + limits.charge.confirmMs;
  return now < confirmBy ? { again: confirmBy, isAct: true } : { again: now + minuteMs };
}

const isOver = ({ status }: MethodRow): boolean => status === "stored" || status === "failed";

interface Target {
  method: MethodRow;
  payment: { currency: string } | undefined;
  /** For how long the attempt may still arrive at the provider, in milliseconds. */
  left: number;
  /** Whether nobody may confirm it any more. */
  mustEnd: boolean;
}

/**
 * After a provider's event: also of an attempt that was given up, in case it has arrived after all. Its card is then
 * forgotten or kept, and a confirmation that it waits for ends. The attempt's own job does the rest.
 */
export async function lookUpMethodAfterEvent(runtime: Runtime, id: string): Promise<undefined> {
  const method = await readMethod(runtime.db.read, id);
  if (method?.status !== "failed") return void (await lookUpMethod(runtime, id));
  const provider = providerFor(runtime, method.provider, method.livemode);
  const known = await inTime(async (signal) => {
    const charge = await provider.lookup("charge", id, signal);
    return charge?.kind === "charge" ? withoutConfirmation(provider, charge, signal) : null;
  });
  if (known === null || (method.attemptReference !== null && (known.storedMethod ?? null) === null)) return;
  await inBackground(runtime, task, async (ctx) => {
    const { organizationId } = await settleMethod(ctx, id, known);
    ctx.audit({ target: id, organizationId, detail: { found: known.status } });
  });
}

/** The attempt, once the provider no longer waits for a confirmation. */
const withoutConfirmation = async (
  provider: PaymentProvider,
  charge: ChargeResult,
  signal: AbortSignal,
): Promise<ChargeResult> =>
  charge.status === "requires_action" && charge.reference !== null
    ? provider.cancel(charge.reference, "requires_action", signal)
    : charge;

/** What became of the attempt; null while it may still arrive. */
async function outcomeOf(
  provider: PaymentProvider,
  { method, payment, left, mustEnd }: Target,
  signal: AbortSignal,
): Promise<ChargeResult | null> {
  const known = await provider.lookup("charge", method.id, signal);
  if (known?.kind === "charge") return mustEnd ? withoutConfirmation(provider, known, signal) : known;
  if (method.attemptReference !== null) throw new Error(`The provider has forgotten ${method.attemptReference}.`);
  if (left > 0) return null;
  const currency = payment?.currency ?? "";
  return provider.giveUp({ idempotencyKey: method.id, amount: 0, currency, captureMethod: "automatic" }, signal);
}
