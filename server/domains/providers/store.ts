// The sandbox provider's rows: what a real provider would store on its own side.
import { and, eq, inArray } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { preparedOne, slot } from "@/db/prepared";
import { sandboxOperations } from "@/db/tables";
import type { ChargeDispute } from "./provider";

export type SandboxRow = typeof sandboxOperations.$inferSelect;
type NewSandboxRow = typeof sandboxOperations.$inferInsert;

const byKey = preparedOne("sandbox.by_key", (q: Reader | Tx) =>
  q
    .select()
    .from(sandboxOperations)
    .where(and(eq(sandboxOperations.kind, slot("kind")), eq(sandboxOperations.idempotencyKey, slot("idempotencyKey")))),
);

/** The charge or refund with our idempotency key; undefined if the sandbox never received it. */
export const findSandboxByKey = (
  q: Reader | Tx,
  kind: SandboxRow["kind"],
  idempotencyKey: string,
): Promise<SandboxRow | undefined> => byKey(q, { kind, idempotencyKey });

const charge = preparedOne("sandbox.charge", (q: Reader) =>
  q
    .select()
    .from(sandboxOperations)
    .where(and(eq(sandboxOperations.reference, slot("reference")), eq(sandboxOperations.kind, "charge"))),
);

/** The charge with the sandbox's reference; undefined if there is none. */
export const findSandboxCharge = (q: Reader, reference: string): Promise<SandboxRow | undefined> =>
  charge(q, { reference });

/** Locks the charge and reads it: writing to a row locks it on either engine. */
export async function lockSandboxCharge(tx: Tx, reference: string, now: number): Promise<SandboxRow | undefined> {
  const [row] = await tx
    .update(sandboxOperations)
    .set({ updatedAt: now })
    .where(and(eq(sandboxOperations.reference, reference), eq(sandboxOperations.kind, "charge")))
    .returning();
  return row;
}

/** Inserts the row unless its key is taken; resolves to the key's row. */
export async function insertSandboxOnce(tx: Tx, row: NewSandboxRow): Promise<SandboxRow> {
  await tx.insert(sandboxOperations).values(row).onConflictDoNothing();
  const first = await findSandboxByKey(tx, row.kind, row.idempotencyKey);
  if (!first) throw new Error("The sandbox lost an operation.");
  return first;
}

/** Changes the charge or refund with the sandbox's reference. */
export async function updateSandbox(tx: Tx, reference: string, change: Partial<NewSandboxRow>): Promise<void> {
  await tx.update(sandboxOperations).set(change).where(eq(sandboxOperations.reference, reference));
}

/** Minor units of a charge that are neither refunded, being refunded, nor disputed. */
export async function sandboxLeft(tx: Reader | Tx, charge: SandboxRow): Promise<number> {
  const { dispute } = charge.outcome as { dispute?: ChargeDispute };
  const disputed = dispute && dispute.status !== "won" ? dispute.amount : 0;
  return charge.amountCaptured - disputed - (await refundedOf(tx, charge.reference));
}

async function refundedOf(tx: Reader | Tx, chargeReference: string): Promise<number> {
  const rows = await tx
    .select({ amount: sandboxOperations.amount })
    .from(sandboxOperations)
    .where(
      and(
        eq(sandboxOperations.chargeReference, chargeReference),
        eq(sandboxOperations.kind, "refund"),
        inArray(sandboxOperations.status, ["pending", "succeeded"]),
      ),
    );
  return rows.reduce((sum, row) => sum + row.amount, 0);
}
