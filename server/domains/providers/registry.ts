// Which payment providers there are, and which of them a pay page may use.
import type { Runtime } from "@/server/process/runtime";
import type { PaymentProvider } from "./provider";
import { sandboxProvider } from "./sandbox";

/** The provider of this name; throws if there is none, or not in this mode. */
export function providerFor(runtime: Runtime, name: string, livemode: boolean): PaymentProvider {
  if (name === "sandbox") return sandboxProvider(runtime, livemode);
  throw new Error(`There is no payment provider named ${JSON.stringify(name)}.`);
}

/** The provider that takes card payments in this mode, or null where none is set up. */
export const cardProvider = (livemode: boolean): "sandbox" | null => (livemode ? null : "sandbox");

/** A provider that has not answered by then has not answered: what became of the call is looked up later. */
export const providerTimeoutMs = 10_000;

/**
 * The provider's answer to a call, which gets a signal that ends it. Rejects, and ends the call, when the answer takes
 * longer than {@link providerTimeoutMs}.
 */
export async function inTime<T>(
  call: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number = providerTimeoutMs,
): Promise<T> {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error("The payment provider did not answer in time.");
      reject(error);
      ending.abort(error);
    }, timeoutMs);
  });
  try {
    return await Promise.race([call(ending.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
