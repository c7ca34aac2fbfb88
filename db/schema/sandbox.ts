// The table of the sandbox provider.
import type { Columns } from "../columns";
import { inList } from "./checks";

export function sandboxTables(k: Columns) {
  /** What the sandbox provider stores about each charge and refund, as a real provider would on its side. */
  const sandboxOperations = k.table(
    "sandbox_operations",
    {
      reference: k.text("reference").primaryKey(),
      /** The caller's idempotency key: the transaction id. */
      idempotencyKey: k.text("idempotency_key").notNull(),
      kind: k.oneOf("kind", ["charge", "refund"]).notNull(),
      status: k.text("status").notNull(),
      chargeReference: k.text("charge_reference"),
      amount: k.money("amount").notNull(),
      amountCaptured: k.money("amount_captured").notNull().default(0),
      currency: k.text("currency").notNull(),
      outcome: k.json<Record<string, unknown>>()("outcome").notNull(),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("sandbox_operations_key").on(t.kind, t.idempotencyKey),
      k.index("sandbox_operations_charge").on(t.chargeReference),
      k.check("sandbox_operations_kind", inList(t.kind, ["charge", "refund"])),
    ],
  );

  return { sandboxOperations };
}
