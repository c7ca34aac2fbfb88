// The operations for server components: called in this process, as the user of the session cookie.
import type { inferRouterOutputs } from "@trpc/server";
import { headers } from "next/headers";
import { cache } from "react";
import { type AppRouter, createCaller } from "@/server/pipeline/trpc-router";
import { runtime } from "@/server/process/runtime";
import { callRequestOf } from "./call-request";

/** Rendering continues when a browser disconnects, and so do its calls. */
const never = new AbortController().signal;

/** The caller for the current HTTP request. Only for reads: rendering cannot send headers. */
export const api = cache(async () => {
  const [incoming, running] = await Promise.all([headers(), runtime()]);
  return createCaller({ runtime: running, request: callRequestOf(incoming, running, never) });
});

/** The outputs of the operations, by domain and verb. */
export type Outputs = inferRouterOutputs<AppRouter>;
