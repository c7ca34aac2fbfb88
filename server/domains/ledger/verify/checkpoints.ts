// Proof of the checkpoints: the signatures form an unbroken chain, and every signed posting still exists.
import { createHmac } from "node:crypto";
import { expectOf, expectThat } from "./fault";
import { Signers, type VerificationKeys } from "./signers";
import { everyRow, type Row, type Snapshot } from "./snapshot-store";

/** A checkpoint or a seal recorded outside the database. */
export interface Noted {
  number: bigint;
  signature: string;
}

const checkpointsQuery = `select * from ledger_checkpoints where number > ? order by number`;
const headsQuery = `
  select h.*, p.hash as posting_hash
  from ledger_checkpoint_heads h
  left join postings p on p.ledger_account_id = h.ledger_account_id and p.sequence = h.sequence
  where (h.checkpoint_number, h.ledger_account_id) > (?, ?) order by h.checkpoint_number, h.ledger_account_id`;

/** Proves every checkpoint, given that the chains are sound. `noted` must be among them. Returns the latest. */
export async function proveCheckpoints(
  snapshot: Snapshot,
  keys: VerificationKeys,
  noted: Noted | null,
): Promise<Noted | null> {
  const keyOf = (row: Row) => [row.checkpoint_number ?? 0n, row.ledger_account_id ?? ""];
  const heads = everyRow(snapshot, headsQuery, [0n, ""], keyOf);
  const signers = new Signers(keys);
  let next = await heads.next();
  let number = 0n;
  let previous = "-";
  for await (const checkpoint of everyRow(snapshot, checkpointsQuery, [0n], (row) => [row.number ?? 0n])) {
    number++;
    const at = { check: "checkpoint", checkpointNumber: Number(number) } as const;
    expectThat(checkpoint.number === number, at, `Checkpoint ${number} is missing.`);
    const key = signers.keyFor(checkpoint, at);
    const mac = createHmac("sha256", key ?? "").update(headerOf(checkpoint, previous), "utf8");
    let count = 0n;
    for (; !next.done && next.value.checkpoint_number === number; count++) {
      proveHead(next.value);
      mac.update(`\n${next.value.ledger_account_id} ${next.value.sequence} ${next.value.hash}`);
      next = await heads.next();
    }
    const signed = `The checkpoint signs ${checkpoint.head_count} chains, but has ${count}.`;
    expectThat(count === checkpoint.head_count, at, signed);
    previous = key === null ? String(checkpoint.signature) : mac.digest("hex");
    const changed = "The checkpoint or one of its rows was changed: the signature does not match.";
    expectThat(previous === checkpoint.signature, at, changed);
    if (noted?.number === number) {
      const message = `The checkpoint's signature is not the expected one: ${previous}.`;
      expectOf("checkpoint", noted.signature === previous, { ...at, message });
    }
  }
  if (!next.done) {
    const checkpointNumber = Number(next.value.checkpoint_number);
    expectThat(false, { check: "checkpoint", checkpointNumber }, "A signed chain's checkpoint does not exist.");
  }
  signers.expectCurrent({ check: "checkpoint", checkpointNumber: Number(number) }, number);
  if (noted) {
    const isThere = noted.number >= 1n && noted.number <= number;
    const at = { check: "checkpoint", checkpointNumber: Number(noted.number) } as const;
    const message = `The checkpoint is missing, the latest is ${number}: this is an old copy, or later ones were removed.`;
    expectOf("checkpoint", isThere, { ...at, message });
  }
  return number === 0n ? null : { number, signature: previous };
}

const headerOf = ({ number, created_at, head_count, key_id }: Row, previous: string): string =>
  ["ledger checkpoint 1", number, created_at, head_count, key_id, previous].join("\n");

function proveHead(head: Row): void {
  const at = {
    check: "checkpoint",
    checkpointNumber: Number(head.checkpoint_number),
    ledgerAccountId: String(head.ledger_account_id),
    sequence: Number(head.sequence),
  } as const;
  expectThat(head.posting_hash !== null, at, "A signed posting is missing: the end of the chain was removed.");
  expectThat(head.posting_hash === head.hash, at, "The hash of a signed posting has changed.");
}
