// Who can reach the app, as far as the app can tell.
import { hasSeenProxy } from "@/server/kit/peer";
import type { Env } from "@/server/process/env";

/** Whether a host name or address is reachable only from this machine. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

/**
 * Whether only this machine reaches the app: it listens on loopback, and nothing indicates that a proxy is in front. A
 * sign of one counts for `proxyMs`, by default until the process ends.
 */
export const isOnlyLocal = (
  { host, appUrl, trustedProxies }: Pick<Env, "host" | "appUrl" | "trustedProxies">,
  proxyMs?: number,
): boolean =>
  isLoopback(host) && isLoopback(new URL(appUrl).hostname) && trustedProxies === null && !hasSeenProxy(proxyMs);
