// Proof of the checkpoints: the signatures form an unbroken chain, and every signed posting still exists.
import { createHmac } from "node:crypto";
import { expectThat } from "./fault";
import { everyRow, type Row, type Snapshot } from "./snapshot-store";

type Keys = readonly { id: string; key: Buffer }[];

/** The installation's server keys, by the id stored beside each signature. */
export interface VerificationKeys {
  /** The keys of SECRET_KEY. */
  all: Keys;
  /** The keys of SECRET_KEY_RETIRED: valid for what they signed before the first signature of a current key. */
  retired?: Keys;
}

/** A checkpoint recorded outside the database. */
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
    const mac = createHmac("sha256", signers.keyFor(checkpoint)).update(headerOf(checkpoint, previous), "utf8");
    let count = 0n;
    for (; !next.done && next.value.checkpoint_number === number; count++) {
      proveHead(next.value);
      mac.update(`\n${next.value.ledger_account_id} ${next.value.sequence} ${next.value.hash}`);
      next = await heads.next();
    }
    const signed = `The checkpoint signs ${checkpoint.head_count} chains, but has ${count}.`;
    expectThat(count === checkpoint.head_count, at, signed);
    previous = mac.digest("hex");
    const changed = "The checkpoint or one of its rows was changed: the signature does not match.";
    expectThat(previous === checkpoint.signature, at, changed);
    if (noted?.number === number) {
      expectThat(noted.signature === previous, at, `The checkpoint's signature is not the expected one: ${previous}.`);
    }
  }
  if (!next.done) {
    const checkpointNumber = Number(next.value.checkpoint_number);
    expectThat(false, { check: "checkpoint", checkpointNumber }, "A signed chain's checkpoint does not exist.");
  }
  signers.expectCurrent(number);
  if (noted) {
    const isThere = noted.number >= 1n && noted.number <= number;
    const at = { check: "checkpoint", checkpointNumber: Number(noted.number) } as const;
    const message = `The checkpoint is missing, the latest is ${number}: this is an old copy, or later ones were removed.`;
    expectThat(isThere, at, message);
  }
  return number === 0n ? null : { number, signature: previous };
}

/** Finds the key of each checkpoint in order. Once a current key has signed, a retired key must not sign again. */
class Signers {
  private hasCurrent = false;

  constructor(private readonly keys: VerificationKeys) {}

  keyFor({ number, key_id }: Row): Buffer {
    const at = { check: "checkpoint", checkpointNumber: Number(number) } as const;
    const current = this.keys.all.find((key) => key.id === key_id);
    if (current) {
      this.hasCurrent = true;
      return current.key;
    }
    const retired = this.keys.retired?.find((key) => key.id === key_id);
    const unknown = `The server key of the checkpoint, ${key_id}, is neither in SECRET_KEY nor in SECRET_KEY_RETIRED.`;
    expectThat(retired !== undefined, at, unknown);
    expectThat(!this.hasCurrent, at, `The retired key ${key_id} signed after a current key: it may be forged.`);
    return retired.key;
  }

  /** Checkpoints of retired keys do not count until a current key has signed a later one. */
  expectCurrent(newest: bigint): void {
    const at = { check: "checkpoint", checkpointNumber: Number(newest) } as const;
    const message = "Only retired keys have signed. Start the app once with the new key, which then signs too.";
    expectThat(newest === 0n || this.hasCurrent, at, message);
  }
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
