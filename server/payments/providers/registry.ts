// Which payment providers there are, and which of them a pay page may use.
import type { Runtime } from "@/server/kit/runtime";
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

/** The provider's answer; rejects when it takes longer than {@link providerTimeoutMs}. */
export async function inTime<T>(answer: Promise<T>, timeoutMs: number = providerTimeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The payment provider did not answer in time.")), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
