// The database itself refuses to change or delete rows of append-only tables, on both engines.
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  auditEntries,
  auditSealEntries,
  auditSeals,
  creditNotes,
  creditNoteVoids,
  events,
  invoices,
  journals,
  ledgerCheckpointHeads,
  ledgerCheckpoints,
  postings,
} from "@/db/tables";
import { writeSeals } from "@/server/domains/records/seals";
import { cancelRequest } from "@/test/merchant";
import { earn } from "@/test/money";
import { ask } from "@/test/payer";
import { openWorld, type World } from "@/test/world";
import { writeCheckpoint } from "./checkpoint";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const { member } = await world.organization();
  await earn(world, member, 100);
  const { payment } = await ask(world, member.actor, { type: "invoice" });
  await cancelRequest(world, member.actor, payment.payment_id);
  const [note] = await world.runtime.db.read.select().from(creditNotes);
  await world.runtime.db.write(async (tx) => {
    await tx.insert(creditNoteVoids).values({ creditNoteId: note?.id ?? "", createdAt: 1 });
  });
  await writeCheckpoint(world.runtime);
  await writeSeals(world.runtime);
});
afterAll(() => world.close());

const tables = [
  ["journals", journals, { event: "other" }],
  ["postings", postings, { amount: 1 }],
  ["ledger_checkpoints", ledgerCheckpoints, { signature: "other" }],
  ["ledger_checkpoint_heads", ledgerCheckpointHeads, { hash: "other" }],
  ["events", events, { type: "other" }],
  ["audit_entries", auditEntries, { operation: "other" }],
  ["audit_seals", auditSeals, { signature: "other" }],
  ["audit_seal_entries", auditSealEntries, { hash: "other" }],
  ["invoices", invoices, { year: 1 }],
  ["credit_notes", creditNotes, { amount: 1 }],
  ["credit_note_voids", creditNoteVoids, { createdAt: 2 }],
] as const;

describe("append-only", () => {
  it.each(tables)("%s refuse UPDATE and DELETE", async (_name, table, change) => {
    const attempt = (statement: "update" | "delete") =>
      world.runtime.db.write(async (tx) => {
        await (statement === "update" ? tx.update(table).set(change).where(sql`true`) : tx.delete(table));
      });
    for (const statement of ["update", "delete"] as const) {
      const error = await attempt(statement).catch((failure: Error) => failure);
      expect(String(error instanceof Error ? (error.cause ?? error) : error)).toMatch(/append-only/);
    }
  });
});
