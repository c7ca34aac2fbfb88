// One line in the log for each request: who called, from where, for what, and how it ended.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { pathOf } from "@/server/kit/http-path";
import { callerFields, type RequestNotes } from "@/server/kit/request-notes";

/** What browsers and load balancers ask for by themselves; its lines would bury the others. */
const ROUTINE = /^\/(?:_next\/static\/|healthz$|readyz$|favicon\.ico$)/;

/** Writes the line once the answer is out, or its connection gone; `receivedAt` is of `performance.now()`. */
export function logRequest(
  log: Logger,
  { method, url = "/" }: IncomingMessage,
  { statusCode, writableFinished }: ServerResponse,
  notes: RequestNotes,
  { address, receivedAt }: { address: string | null; receivedAt: number },
): void {
  const path = pathOf(url);
  const level = ROUTINE.test(path) && statusCode < 400 ? "debug" : "info";
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
