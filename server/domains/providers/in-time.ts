// The time limit of a call to a provider.

/** How long a provider may take to answer, in milliseconds. A look-up finds the result of a call that took longer. */
const providerTimeoutMs = 10_000;

/**
 * Resolves to the provider's answer. Rejects, and aborts the call through its signal, when the answer takes longer than
 * `timeoutMs`, {@link providerTimeoutMs} by default.
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
