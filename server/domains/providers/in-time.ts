// How long a call to a provider may take.

/** How long a provider has to answer, in milliseconds. What became of a call that took longer is looked up later. */
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
