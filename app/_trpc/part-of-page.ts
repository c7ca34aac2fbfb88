// A call for a part of a page without which the rest is still useful.
import { headers } from "next/headers";
import { requestUnderWay } from "@/server/kit/request-notes";
import { failureOf } from "@/server/pipeline/trpc-router";
import { runtime } from "@/server/process/runtime";

/** What the call returns, or null if it failed on the server, which is logged. A refusal, such as 401, is thrown. */
export async function partOfPage<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (failureOf(error).status < 500) throw error;
    const [{ log }, incoming] = await Promise.all([runtime(), headers()]);
    log.error({ err: error, requestId: requestUnderWay(incoming)?.requestId }, "a part of a page failed");
    return null;
  }
}
