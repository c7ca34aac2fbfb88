// Who may read /metrics: callers with the token; if no token is set, only programs on this machine.
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { minuteMs } from "@/server/kit/limits";
import { isLoopback, isOnlyLocal } from "@/server/kit/reach";
import type { Env } from "@/server/process/env";
import { hashToken } from "@/server/secrets/secret";

export type MetricsSettings = Pick<Env, "metricsToken" | "host" | "appUrl" | "trustedProxies">;

/** Headers that proxies add to identify themselves or the caller. */
const forwardingHeader = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * How long a request with X-Forwarded-For closes /metrics for those without a token. Each further request through a
 * proxy renews it. A single request, which any program on this machine can send, must not stop monitoring for good.
 */
const proxyMs = 10 * minuteMs;

/**
 * Whether the sender may read /metrics. A proxy on this machine makes every stranger's connection come from loopback,
 * and need not add a header that reveals it. So without a token, a loopback peer is accepted only while nothing
 * indicates that others can reach the app. The Host is checked because a page in a browser on this machine can resolve
 * its own domain to this machine.
 */
export function mayReadMetrics(
  { socket, headers }: Pick<IncomingMessage, "headers"> & { socket: { remoteAddress?: string | undefined } },
  settings: MetricsSettings,
): boolean {
  const { metricsToken } = settings;
  if (metricsToken !== null) return isSame(bearerOf(headers), metricsToken);
  const isForwarded = Object.keys(headers).some((name) => forwardingHeader.test(name));
  const peer = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  return isOnlyLocal(settings, proxyMs) && isLoopback(peer) && !isForwarded && isLoopback(hostNameOf(headers));
}

const bearerOf = ({ authorization = "" }: IncomingHttpHeaders): string =>
  /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";

/** Compares hashes in constant time. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(expected)));

/** The Host header without its port. */
const hostNameOf = ({ host = "" }: IncomingHttpHeaders): string => host.replace(/:\d+$/, "");
