// Who can reach the app, as far as the app can tell.
import { hasSeenProxy } from "@/server/kit/peer";
import type { Env } from "@/server/process/env";

/** Whether a host name or address is reachable only from this machine. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

/**
 * Whether only this machine reaches the app: it listens on loopback, and nothing indicates that a proxy is in front.
 */
export const isOnlyLocal = ({ host, appUrl, trustedProxies }: Pick<Env, "host" | "appUrl" | "trustedProxies">) =>
  isLoopback(host) && isLoopback(new URL(appUrl).hostname) && trustedProxies === null && !hasSeenProxy();
