// The operations for server components: called in this process, as whoever the session cookie names.
import type { inferRouterOutputs } from "@trpc/server";
import { headers } from "next/headers";
import { cache } from "react";
import { runtime } from "@/server/kit/runtime";
import { type AppRouter, createCaller } from "@/server/router";
import { callRequestOf } from "./call-request";

/** Rendering is not stopped when a browser goes away, so neither is what it asks for. */
const never = new AbortController().signal;

/** The caller for the request that is being answered. Only reads make sense: rendering cannot send headers. */
export const api = cache(async () => {
  const [incoming, running] = await Promise.all([headers(), runtime()]);
  return createCaller({ runtime: running, request: callRequestOf(incoming, running, never) });
});

/** What the operations answer, by domain and verb. */
export type Outputs = inferRouterOutputs<AppRouter>;
