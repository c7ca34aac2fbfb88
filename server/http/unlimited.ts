// Requests that are answered before any limit: health checks, and /metrics for those who may read it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { protectiveHeaders } from "@/server/kit/protective-headers";
import type { MetricsReader } from "./metrics";
import { pathOf, withoutOrigin } from "./path";
import { answerProbe, isProbePath } from "./probes";
import { requestIdOf } from "./request-id";
import { hasBody, lacksHost, metricsPath } from "./surfaces";

interface Answer {
  status: number;
  type: string;
  body: string;
}

/**
 * How to answer the request if no limit applies to it; otherwise null. Another caller at the same address must not make
 * a health check fail, nor hide the metrics from monitoring.
 */
export function unlimitedAnswer(request: IncomingMessage, metrics: MetricsReader): (() => Promise<Answer>) | null {
  const { method = "", url = "/" } = request;
  const path = pathOf(withoutOrigin(url));
  if (!["GET", "HEAD"].includes(method) || hasBody(request) || lacksHost(request)) return null;
  if (isProbePath(path)) {
    return async () => {
      const { httpStatus, status, zoneData: zone_data } = await answerProbe(path);
      const body = JSON.stringify({ status, zone_data });
      return { status: httpStatus, type: "application/json; charset=utf-8", body };
    };
  }
  if (path !== metricsPath || !metrics.mayRead(request)) return null;
  return async () => ({ status: 200, type: metrics.contentType, body: await metrics.text() });
}

/** Sends an answer to which no limit applies, and closes the connection. */
export async function sendUnlimited(response: ServerResponse, answer: () => Promise<Answer>): Promise<void> {
  const { status, type, body } = await answer();
  response.writeHead(status, {
    ...protectiveHeaders,
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Request-Id": requestIdOf(response.req.headers["request-id"]),
    // No rate limit applies, so otherwise one connection could send requests as fast as they are answered.
    Connection: "close",
  });
  response.end(body);
}
