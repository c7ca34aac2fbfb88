// Proof of the checkpoints: the signatures form an unbroken row, and every chain still holds what was signed for.
import { createHmac, type Hmac } from "node:crypto";
import { expectThat } from "@/server/ledger/verify/fault";
import { everyRow, type Row, type Snapshot } from "@/server/ledger/verify/snapshot-store";

/** The installation's server keys, by the id that stands beside each signature. */
export type VerificationKeys = readonly { id: string; key: Buffer }[];

const checkpointsQuery = `select * from ledger_checkpoints where number > ? order by number`;
const headsQuery = `
  select h.*, p.hash as posting_hash
  from ledger_checkpoint_heads h
  left join postings p on p.ledger_account_id = h.ledger_account_id and p.sequence = h.sequence
  where (h.checkpoint_number, h.ledger_account_id) > (?, ?) order by h.checkpoint_number, h.ledger_account_id`;

/** Proves every checkpoint, given that the chains are sound. Answers how many there are. */
export async function proveCheckpoints(snapshot: Snapshot, keys: VerificationKeys): Promise<number> {
  const keyOf = (row: Row) => [row.checkpoint_number ?? 0n, row.ledger_account_id ?? ""];
  const heads = everyRow(snapshot, headsQuery, [0n, ""], keyOf);
  let next = await heads.next();
  let number = 0n;
  let previous = "-";
  for await (const checkpoint of everyRow(snapshot, checkpointsQuery, [0n], (row) => [row.number ?? 0n])) {
    number++;
    const at = { check: "checkpoint", checkpointNumber: Number(number) } as const;
    expectThat(checkpoint.number === number, at, `Checkpoint ${number} is missing.`);
    const mac = beginSignature(checkpoint, previous, keys);
    let count = 0n;
    for (; !next.done && next.value.checkpoint_number === number; count++) {
      proveHead(next.value);
      mac.update(`\n${next.value.ledger_account_id} ${next.value.sequence} ${next.value.hash}`);
      next = await heads.next();
    }
    expectThat(
      count === checkpoint.head_count,
      at,
      `The checkpoint signs ${checkpoint.head_count} chains, but has ${count}.`,
    );
    previous = mac.digest("hex");
    expectThat(
      previous === checkpoint.signature,
      at,
      "The checkpoint or one of its rows was changed: the signature does not fit.",
    );
  }
  if (!next.done) {
    const checkpointNumber = Number(next.value.checkpoint_number);
    expectThat(false, { check: "checkpoint", checkpointNumber }, "A signed chain's checkpoint does not exist.");
  }
  return Number(number);
}

function beginSignature(checkpoint: Row, previous: string, keys: VerificationKeys): Hmac {
  const { number, created_at, head_count, key_id } = checkpoint;
  const signer = keys.find((key) => key.id === key_id);
  const at = { check: "checkpoint", checkpointNumber: Number(number) } as const;
  expectThat(signer !== undefined, at, `The checkpoint names the server key ${key_id}, which is not among SECRET_KEY.`);
  const lines = ["ledger checkpoint 1", number, created_at, head_count, key_id, previous];
  return createHmac("sha256", signer.key).update(lines.join("\n"), "utf8");
}

function proveHead(head: Row): void {
  const at = {
    check: "checkpoint",
    checkpointNumber: Number(head.checkpoint_number),
    ledgerAccountId: String(head.ledger_account_id),
    sequence: Number(head.sequence),
  } as const;
  expectThat(head.posting_hash !== null, at, "A posting that was signed for is gone: the chain's tail was cut off.");
  expectThat(head.posting_hash === head.hash, at, "A posting that was signed for has another hash now.");
}
