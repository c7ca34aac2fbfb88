// Who may read /metrics: whoever sends the token; without a token, only programs on this machine.
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isLoopback, isOnlyLocal } from "@/server/kit/reach";
import type { Env } from "@/server/process/env";
import { hashToken } from "@/server/secrets/secret";

export type MetricsSettings = Pick<Env, "metricsToken" | "host" | "appUrl" | "trustedProxies">;

/** Headers that proxies add to name themselves or the caller. */
const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether the sender may read /metrics. A proxy on this machine makes every stranger's connection come from loopback,
 * and need not add a header that says so. So without a token, loopback counts only while nothing says that others can
 * reach the app. The Host is checked because a page in a browser on this machine can direct its own domain at us.
 */
export function mayReadMetrics(
  { socket, headers }: Pick<IncomingMessage, "headers"> & { socket: { remoteAddress?: string | undefined } },
  settings: MetricsSettings,
): boolean {
  const { metricsToken } = settings;
  if (metricsToken !== null) return isSame(bearerOf(headers), metricsToken);
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  const peer = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  return isOnlyLocal(settings) && isLoopback(peer) && !isForwarded && isLoopback(hostNameOf(headers));
}

const bearerOf = ({ authorization = "" }: IncomingHttpHeaders): string =>
  /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";

/** Compares hashes, whose comparison takes the same time wherever the texts differ. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(expected)));

/** The Host header without its port. */
const hostNameOf = ({ host = "" }: IncomingHttpHeaders): string => host.replace(/:\d+$/, "");
