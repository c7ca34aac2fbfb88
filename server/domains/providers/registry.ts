// The payment providers, which one a pay page uses, and the one way to call one.
import type { Runtime } from "@/server/process/runtime";
import { inTime } from "./in-time";
import type { PaymentProvider } from "./provider";
import { sandboxProvider } from "./sandbox";

/** The provider with this name. Throws if none exists in this mode. */
export function providerFor(runtime: Runtime, name: string, livemode: boolean): PaymentProvider {
  if (name === "sandbox") return sandboxProvider(runtime, livemode);
  throw new Error(`There is no payment provider named ${JSON.stringify(name)}.`);
}

/** The name of the provider that takes card payments in this mode, or null if none is set up. */
export const cardProvider = (livemode: boolean): "sandbox" | null => (livemode ? null : "sandbox");

/** A call to a provider for one of our transactions. */
interface ProviderCall<T> {
  transactionId: string;
  provider: string;
  livemode: boolean;
  /** The name of the call in the log, such as "capture". */
  what: string;
  ask(provider: PaymentProvider, signal: AbortSignal): Promise<T>;
}

/**
 * Calls a provider once, between two database transactions. Null if the provider is not configured (any more), fails or
 * does not answer in time: whether the call took effect is then unknown until the look-up that the first database
 * transaction scheduled.
 */
export async function askProvider<T>(runtime: Runtime, call: ProviderCall<T>): Promise<T | null> {
  const { transactionId, provider, livemode, what } = call;
  try {
    return await inTime((signal) => call.ask(providerFor(runtime, provider, livemode), signal));
  } catch (error) {
    runtime.log.warn({ err: error, transactionId, provider, what }, "a provider did not answer");
    return null;
  }
}
