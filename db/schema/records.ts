// Tables that record every write: audit entries, events, idempotency keys.
import type { Columns } from "../columns";
import { isSampled, pairOf } from "../sample";
import type { identityTables } from "./identity";

export function recordTables(k: Columns, { organizations }: ReturnType<typeof identityTables>) {
  const auditEntries = k.table(
    "audit_entries",
    {
      id: k.text("id").primaryKey(),
      /** Null when the organization is unknown, as after a failed login. */
      organizationId: k.text("organization_id"),
      operation: k.text("operation").notNull(),
      actorType: k.oneOf("actor_type", ["anonymous", "user", "api_key", "system"]).notNull(),
      actorId: k.text("actor_id"),
      targetId: k.text("target_id"),
      /** Ids, codes and field names; never personal data or secrets. */
      detail: k.json<Record<string, unknown>>()("detail").notNull(),
      requestId: k.text("request_id").notNull(),
      ip: k.text("ip"),
      userAgent: k.text("user_agent"),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.index("audit_entries_target").on(t.targetId, t.createdAt),
      k.index("audit_entries_page").on(t.organizationId, t.createdAt, t.id),
      k.index("audit_entries_sample").on(t.organizationId, pairOf).where(isSampled),
    ],
  );

  /** Personal values before and after a change. The entry itself has only their salted hash, so they can be erased. */
  const auditChanges = k.table(
    "audit_changes",
    {
      entryId: k
        .text("entry_id")
        .notNull()
        .references(() => auditEntries.id),
      field: k.text("field").notNull(),
      /** The user, account, customer or organization whose values they are. */
      subjectId: k.text("subject_id").notNull(),
      before: k.text("before"),
      after: k.text("after"),
      /** Null once the values have been erased. */
      salt: k.text("salt"),
    },
    (t) => [k.primaryKey({ columns: [t.entryId, t.field] }), k.index("audit_changes_subject").on(t.subjectId)],
  );

  /** A signed statement that its entries were present. Each seal also signs the previous one. */
  const auditSeals = k.table(
    "audit_seals",
    {
      number: k.integer("number").primaryKey(),
      createdAt: k.instant("created_at").notNull(),
      entryCount: k.integer("entry_count").notNull(),
      keyId: k.text("key_id").notNull(),
      signature: k.text("signature").notNull(),
    },
    () => [],
  );

  /** The entries of each seal. Never a range of ids or times, because entries may commit late. */
  const auditSealEntries = k.table(
    "audit_seal_entries",
    {
      sealNumber: k
        .integer("seal_number")
        .notNull()
        .references(() => auditSeals.number),
      entryId: k.text("entry_id").notNull(),
      /** Over the whole entry, in which personal values are salted hashes. */
      hash: k.text("hash").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.sealNumber, t.entryId] }),
      k.uniqueIndex("audit_seal_entries_entry").on(t.entryId),
    ],
  );

  const events = k.table(
    "events",
    {
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      accountId: k.text("account_id"),
      type: k.text("type").notNull(),
      objectId: k.text("object_id").notNull(),
      /** Counts 1, 2, 3 … per object, without gaps. */
      sequence: k.integer("sequence").notNull(),
      data: k.json<Record<string, unknown>>()("data").notNull(),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [k.uniqueIndex("events_object").on(t.objectId, t.sequence)],
  );

  const idempotencyKeys = k.table(
    "idempotency_keys",
    {
      /** Organization, caller and key, joined. */
      id: k.text("id").primaryKey(),
      /** HMAC of the operation and its input. */
      fingerprint: k.text("fingerprint").notNull(),
      /** What a saga's first transaction decided, until the saga is finished. */
      intent: k.json<Record<string, string | number | boolean | null>>()("intent"),
      /** Null while the saga is running. */
      status: k.integer("status"),
      body: k.text("body"),
      /** By the database's clock. For a running saga: when its lease began. */
      createdAt: k.instant("created_at").notNull(),
      expiresAt: k.instant("expires_at").notNull(),
    },
    (t) => [k.index("idempotency_keys_expiry").on(t.expiresAt)],
  );

  return { auditEntries, auditChanges, auditSeals, auditSealEntries, events, idempotencyKeys };
}
