// What protects the audit log: its latest seal, and the last proof on this machine.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { lastProof } from "@/server/domains/ledger/proof-note";
import { lastSeal } from "@/server/domains/records/seal-store";
import { timestamp } from "@/server/kit/fields";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";

export const auditState = operation({
  id: "auditEntries.state",
  summary: "The latest seal of the audit log and its last proof",
  access: rules["audit.read"],
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    seal: z.strictObject({ number: z.int(), sealed_at: timestamp }).nullable(),
    proof: z
      .strictObject({ proved_at: timestamp, is_sound: z.boolean() })
      .nullable()
      .describe(
        "The last one on this machine, or the one whose fault has not been corrected since; other machines may have proved the same database.",
      ),
  }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx }) {
    const seal = await lastSeal(ctx.db);
    const proof = lastProof(ctx.runtime.env);
    return {
      seal: seal && { number: seal.number, sealed_at: iso(seal.createdAt) },
      proof: proof && { proved_at: iso(proof.at), is_sound: proof.isSound },
    };
  },
});
