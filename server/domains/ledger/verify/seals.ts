// Proof of the audit log: the seals form an unbroken chain, and every sealed entry is there, unchanged.
import { createHash, createHmac } from "node:crypto";
import type { Noted } from "./checkpoints";
import { expectOf, expectThat, type ProofKind } from "./fault";
import { Signers, type VerificationKeys } from "./signers";
import { everyRow, type Row, type Snapshot } from "./snapshot-store";

const sealsQuery = `select * from audit_seals where number > ? order by number`;
const entriesQuery = `
  select s.seal_number, s.entry_id, s.hash, e.id, e.organization_id, e.operation, e.actor_type, e.actor_id, e.target_id,
    cast(e.detail as text) as detail, e.request_id, e.ip, e.user_agent, e.created_at
  from audit_seal_entries s left join audit_entries e on e.id = s.entry_id
  where (s.seal_number, s.entry_id) > (?, ?) order by s.seal_number, s.entry_id`;
const oldestUnsealedQuery = `
  select e.id from audit_entries e left join audit_seal_entries s on s.entry_id = e.id
  where e.id < ? and s.entry_id is null order by e.id limit 1`;

/**
 * Entries dated further than this before the last sealed ones were not written by the product. Nor does an entry of a
 * database in use wait longer for its seal.
 */
const reachMs = 24n * 3_600_000n;

/** The alphabet of identifiers, in which each character has 5 bits. */
const digits = "0123456789abcdefghjkmnpqrstvwxyz";

interface Last {
  /** When the seal was written, in epoch milliseconds. */
  at: bigint;
  /** When its last entry was written. */
  entryAt: bigint;
}

/** Proves every seal, and that no older entry lacks one. `noted` must be among them. Returns the latest. */
export async function proveSeals(
  snapshot: Snapshot,
  keys: VerificationKeys,
  noted: Noted | null,
): Promise<{ newest: Noted | null; entries: number }> {
  const entries = everyRow(snapshot, entriesQuery, [0n, ""], (row) => [row.seal_number ?? 0n, row.entry_id ?? ""]);
  const signers = new Signers(keys);
  let next = await entries.next();
  let number = 0n;
  let previous = "-";
  let total = 0n;
  let last: Last | null = null;
  for await (const seal of everyRow(snapshot, sealsQuery, [0n], (row) => [row.number ?? 0n])) {
    number++;
    const at = { check: "seal", sealNumber: Number(number) } as const;
    expectThat(seal.number === number, at, `Seal ${number} is missing.`);
    const key = signers.keyFor(seal, at);
    const mac = createHmac("sha256", key ?? "").update(headerOf(seal, previous), "utf8");
    let count = 0n;
    for (; !next.done && next.value.seal_number === number; count++) {
      proveEntry(next.value);
      mac.update(`\n${next.value.entry_id} ${next.value.hash}`);
      last = { at: BigInt(seal.created_at ?? 0), entryAt: timeOf(String(next.value.entry_id)) };
      next = await entries.next();
    }
    expectThat(count === seal.entry_count, at, `The seal signs ${seal.entry_count} entries, but has ${count}.`);
    total += count;
    previous = key === null ? String(seal.signature) : mac.digest("hex");
    const changed = "The seal or one of its rows was changed: the signature does not match.";
    expectThat(previous === seal.signature, at, changed);
    if (noted?.number === number) {
      const message = `The seal's signature is not the expected one: ${previous}.`;
      expectOf("seal", noted.signature === previous, { ...at, message });
    }
  }
  if (!next.done) {
    const sealNumber = Number(next.value.seal_number);
    expectThat(false, { check: "seal", sealNumber }, "A sealed entry's seal does not exist.");
  }
  signers.expectCurrent({ check: "seal", sealNumber: Number(number) }, number);
  expectNoted(noted, number);
  if (last) await proveAllSealed(snapshot, last);
  return { newest: number === 0n ? null : { number, signature: previous }, entries: Number(total) };
}

function expectNoted(noted: Noted | null, newest: bigint): void {
  if (!noted) return;
  const at = { check: "seal", sealNumber: Number(noted.number) } as const;
  const message = `The seal is missing, the latest is ${newest}: this is an old copy, or later ones were removed.`;
  expectOf("seal", noted.number >= 1n && noted.number <= newest, { ...at, message });
}

const headerOf = ({ number, created_at, entry_count, key_id }: Row, previous: string): string =>
  ["audit seal 1", number, created_at, entry_count, key_id, previous].join("\n");

function proveEntry(row: Row): void {
  const at = { check: "audit_entry", sealNumber: Number(row.seal_number), auditEntryId: String(row.entry_id) } as const;
  expectThat(row.id !== null, at, "A sealed entry is missing: it was removed.");
  expectThat(row.hash === hashOf(row), at, "The entry was changed: the hash does not match.");
  expectThat(timeOf(String(row.id)) === row.created_at, at, "The entry was not written at the time that it names.");
}

function hashOf(e: Row): string {
  const columns = [e.id, e.organization_id, e.operation, e.actor_type, e.actor_id, e.target_id, e.detail, e.request_id];
  const values = ["audit entry 1", ...columns, e.ip, e.user_agent, Number(e.created_at)];
  return createHash("sha256").update(JSON.stringify(values), "utf8").digest("hex");
}

/** The instant in an identifier's first ten characters, in epoch milliseconds. */
function timeOf(id: string): bigint {
  let at = 0n;
  for (const letter of id.slice("aud_".length, "aud_".length + 10)) at = at * 32n + BigInt(digits.indexOf(letter));
  return at;
}

/** What has just been written is not sealed yet, and commits may be late. Only what is far older is a fault. */
const proveAllSealed = (snapshot: Snapshot, { at, entryAt }: Last): Promise<void> =>
  expectSealed(
    snapshot,
    (at < entryAt ? at : entryAt) - reachMs,
    "The entry has no seal, although later ones have: it was added afterwards.",
    "rows",
  );

/**
 * Proves that entries are still being sealed: none without a seal is more than a day older than the latest entry. Only
 * for a database in use: an entry of the last minute before a backup has no seal in it, however late it is restored.
 */
export async function proveSealing(snapshot: Snapshot): Promise<void> {
  const [newest] = await snapshot.rows("select max(id) as id from audit_entries");
  if (newest?.id == null) return;
  const message = "The entry has no seal, although later ones are more than a day newer: sealing has stopped.";
  await expectSealed(snapshot, timeOf(String(newest.id)) - reachMs, message, "sealing");
}

/** Expects a seal over every entry written before the instant (epoch milliseconds). */
async function expectSealed(snapshot: Snapshot, before: bigint, message: string, kind: ProofKind): Promise<void> {
  let rest = before;
  let text = "";
  for (; text.length < 10; rest /= 32n) text = digits.charAt(Number(rest % 32n)) + text;
  const [oldest] = await snapshot.rows(oldestUnsealedQuery, [`aud_${text}`]);
  const fault = { check: "audit_entry", auditEntryId: String(oldest?.id), message } as const;
  expectOf(kind, oldest === undefined, fault);
}
