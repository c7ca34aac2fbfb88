// One log line per request: who called, from where, what, and how it ended.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { Places } from "@/server/fairness/places";
import { limits } from "@/server/kit/limits";
import { callerFields, type RequestNotes } from "@/server/kit/request-notes";
import { pathOf } from "./path";

/** Requests that browsers, load balancers and monitoring send automatically. Their lines would bury the others. */
const routinePath = /^\/(?:_next\/static\/|healthz$|readyz$|metrics$|favicon\.ico$)/;

/** Writes the line once the response is sent or its connection closed. `receivedAt` is in `performance.now()`. */
export function logRequest(
  log: Logger,
  { method, url = "/" }: IncomingMessage,
  { statusCode, writableFinished }: ServerResponse,
  notes: RequestNotes,
  { address, receivedAt }: { address: string | null; receivedAt: number },
): void {
  const path = pathOf(url);
  const level = routinePath.test(path) && statusCode < 400 ? "debug" : "info";
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId: notes.requestId,
      method,
      path,
      status: statusCode,
      ...(writableFinished ? {} : { aborted: true }),
      ms: Math.round(performance.now() - receivedAt),
      ...callerFields(notes, address),
    },
    "request",
  );
}

const windowMs = 60_000;

/** Limits log lines about requests that cost their sender nothing, so that nobody can fill the log. */
export class RefusalLines {
  private places = newLines();
  private unlogged = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: Pick<Logger, "warn">) {}

  /**
   * Whether the address block has a line left in this minute. Requests without one are counted in a line at its end.
   */
  take(block: string): boolean {
    this.timer ??= setTimeout(() => this.startAnew(), windowMs).unref();
    if (this.places.take(block)) return true;
    this.unlogged++;
    return false;
  }

  private startAnew(): void {
    this.timer = undefined;
    this.places = newLines();
    if (this.unlogged > 0) this.log.warn({ requests: this.unlogged }, "requests were refused without log lines");
    this.unlogged = 0;
  }
}

function newLines(): Places {
  const { perAddress, ...others } = limits.refusalLines;
  return new Places({ ...others, perCaller: perAddress });
}
