// The records of a write: audit entries and events, in the same transaction as its effect.
import type { Tx } from "@/db/client";
import type { Actor, AuditRecord, CallRequest, EventRecord } from "@/server/kit/context";
import { idOf, organizationOf } from "@/server/kit/identity";
import { newId } from "@/server/kit/ids";
import type { Runtime } from "@/server/process/runtime";
import { insertAuditChanges, insertAuditEntry } from "./audit-store";
import { changesOf } from "./changes";
import { type EventRow, insertEvents, nextSequence } from "./event-store";
import { logSecurity, type SecurityLine } from "./refused-calls";

interface Author {
  runtime: Runtime;
  operation: string;
  actor: Actor;
  request: Pick<CallRequest, "requestId" | "ip" | "userAgent">;
  /** The real time. */
  now: number;
  /** Whether a refusal gets an entry; see `Refusals.admission`. */
  isAdmitted: () => boolean;
  /** False if what it writes needs no audit entry; see `Operation.isAudited`. */
  isAudited?: boolean;
}

export class Records {
  private readonly audits: AuditRecord[] = [];
  private readonly events: EventRecord[] = [];
  private readonly lines: SecurityLine[] = [];

  constructor(private readonly author: Author) {}

  readonly audit = (record: AuditRecord): void => {
    this.audits.push(record);
  };

  readonly emit = (event: EventRecord): void => {
    this.events.push(event);
  };

  get hasAudit(): boolean {
    return this.audits.length > 0;
  }

  /** The objects that changed, for callers that wait for them. */
  get changedObjects(): string[] {
    return this.events.map((event) => event.object);
  }

  /** Writes all records. Throws if a change has no audit entry. */
  async write(tx: Tx): Promise<void> {
    const { operation, isAudited = true } = this.author;
    if (isAudited && this.audits.length === 0)
      throw new Error(`${operation} changed something without an audit entry.`);
    for (const record of this.audits) await this.writeAudit(tx, record);
    const sequences = new Map<string, number>();
    const rows: EventRow[] = [];
    for (const event of this.events) {
      const known = sequences.get(event.object);
      const sequence = known !== undefined ? known + 1 : event.first ? 1 : await nextSequence(tx, event.object);
      sequences.set(event.object, sequence);
      rows.push(this.eventRow(event, sequence));
    }
    await insertEvents(tx, rows);
  }

  /** Call after COMMIT, so that the log reports only what has happened, and reports it once. */
  logSecurity(): void {
    for (const line of this.lines) logSecurity(this.author.runtime, line);
  }

  private async writeAudit(tx: Tx, record: AuditRecord): Promise<void> {
    const { actor, operation, request, now, isAdmitted } = this.author;
    if (record.isRefusal && !isAdmitted()) return;
    const { type, id } = record.actor ?? { type: actor.type, id: idOf(actor) };
    const entryId = newId("aud", now);
    const { rows: changes, detail } = changesOf(entryId, record);
    const row = {
      id: entryId,
      organizationId: record.organizationId ?? organizationOf(actor),
      operation,
      actorType: type,
      actorId: id,
      targetId: record.target,
      detail,
      requestId: request.requestId,
      ip: request.ip,
      userAgent: request.userAgent,
      createdAt: now,
    };
    await insertAuditEntry(tx, row);
    await insertAuditChanges(tx, changes);
    const message = record.isRefusal ? "refused" : record.alarm;
    if (message !== undefined) this.lines.push({ row, message });
  }

  private eventRow(event: EventRecord, sequence: number): EventRow {
    const organizationId = event.organizationId ?? organizationOf(this.author.actor);
    if (!organizationId) throw new Error(`The event ${event.type} belongs to no organization.`);
    return {
      id: newId("evt", this.author.now),
      organizationId,
      accountId: event.accountId ?? null,
      type: event.type,
      objectId: event.object,
      sequence,
      data: event.data,
      createdAt: event.at ?? this.author.now,
    };
  }
}
