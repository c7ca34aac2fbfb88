// Records of refused calls: an audit entry and a security log line for each, or a count if there are too many.
import type { Tx } from "@/db/client";
import type { CallRequest } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import type { Runtime } from "@/server/process/runtime";
import { type AuditRow, insertAuditEntry } from "./audit-store";

/** What is known about a refused call after its transaction has ended. */
type RefusedCall = Pick<AuditRow, "organizationId" | "operation" | "actorType" | "actorId" | "detail">;

/** Records a refusal outside any transaction. Never throws: the caller must receive the refusal itself. */
export async function recordRefusal(
  runtime: Runtime,
  request: Pick<CallRequest, "requestId" | "ip" | "userAgent">,
  refused: RefusedCall,
): Promise<void> {
  const now = runtime.clock.now();
  const { requestId, ip, userAgent } = request;
  const isAdmitted = runtime.refusals.admits(ip, now);
  const row = { ...refused, id: newId("aud", now), targetId: null, requestId, ip, userAgent, createdAt: now };
  if (isAdmitted) logRefusal(runtime, row);
  try {
    await writeCounts(runtime, isAdmitted ? { more: (tx) => insertAuditEntry(tx, row) } : {});
  } catch (error) {
    runtime.log.error({ err: error, requestId }, "a refusal could not be recorded");
  }
}

export interface SecurityLine {
  row: Omit<AuditRow, "id" | "createdAt">;
  message: string;
}

/** Writes a line to the security log. */
export function logSecurity({ log }: Runtime, { row, message }: SecurityLine): void {
  const { operation, actorType, actorId, targetId, detail, requestId, ip } = row;
  log.warn({ logger: "security", operation, actorType, actorId, targetId, ip, requestId, ...detail }, message);
}

const logRefusal = (runtime: Runtime, row: SecurityLine["row"]) => logSecurity(runtime, { row, message: "refused" });

interface Writing {
  /** Written together with the counts. */
  more?: (tx: Tx) => Promise<void>;
  /** Whether the process is ending, so that the current minute is written too. */
  isLast?: boolean;
}

/** Writes how many refusals of past minutes have no separate entry. */
export async function writeCounts(runtime: Runtime, { more, isLast = false }: Writing = {}): Promise<void> {
  const now = runtime.clock.now();
  const counts = runtime.refusals.takeCounts(now, isLast);
  if (counts.length === 0 && !more) return;
  const rows = counts.map(({ minute, block, count }) => ({
    id: newId("aud", now),
    organizationId: null,
    operation: "calls.refused",
    targetId: null,
    actorType: "system" as const,
    actorId: null,
    requestId: newId("req", now),
    ip: block,
    userAgent: null,
    createdAt: now,
    detail: { count, minute: new Date(minute).toISOString() },
  }));
  try {
    await runtime.db.write(async (tx) => {
      for (const row of rows) await insertAuditEntry(tx, row);
      await more?.(tx);
    });
  } catch (error) {
    runtime.refusals.putBack(counts);
    throw error;
  }
  for (const row of rows) logRefusal(runtime, row);
}
