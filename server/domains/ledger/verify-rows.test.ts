// The proof on ledgers with deleted, swapped or truncated rows, with and without matching heads.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openTamperWorld, type TamperWorld } from "@/test/tamper";
import { postingHash } from "./chain";
import type { Check } from "./verify/fault";

let world: TamperWorld;
let chain: string;
beforeAll(async () => {
  world = await openTamperWorld();
  chain = world.chain;
});
afterEach(() => world.raw.restore());
afterAll(() => world.close());

describe("one deleted row", () => {
  it.each([
    ["the first posting", 1, 2],
    ["a posting in the middle", 3, 4],
    ["the newest posting", 6, 6],
  ])("%s", async (_name, deleted, noticedAt) => {
    await world.raw.run("delete from postings where ledger_account_id = ? and sequence = ?", chain, deleted);
    expect(await world.faultOf("chain")).toMatchObject({ ledgerAccountId: chain, sequence: noticedAt });
  });

  it.each<[string, string, Check]>([
    ["a journal", "delete from journals where id = (select max(id) from journals)", "chain"],
    [
      "a ledger account",
      "delete from ledger_accounts where name = 'expense:goodwill' and organization_id = (select min(organization_id) from ledger_accounts)",
      "chain",
    ],
    [
      "the last ledger account",
      "delete from ledger_accounts where id = (select max(id) from ledger_accounts)",
      "chain",
    ],
    ["a transaction", "delete from transactions where type = 'refund'", "journal"],
    ["a checkpoint", "delete from ledger_checkpoints where number = 1", "checkpoint"],
    ["the newest checkpoint alone", "delete from ledger_checkpoints where number = 3", "checkpoint"],
    [
      "a signed head",
      "delete from ledger_checkpoint_heads where checkpoint_number = 1 and ledger_account_id like 'acct%'",
      "checkpoint",
    ],
  ])("%s", async (_name, statement, check) => {
    await world.raw.run(statement);
    await world.faultOf(check);
  });

  it("all lines of a journal", async () => {
    const { organizationId } = world.ledger;
    const now = world.world.clock.now();
    await world.raw.run(
      `insert into journals
         (id, organization_id, source_kind, source_id, transaction_id, event, booked_at, value_at, created_at)
       select ?, ?, 'transaction', min(id), min(id), ?, ?, ?, ? from transactions where organization_id = ?`,
      ...["jrn_orphan", organizationId, "credit_granted", now, now, now],
      organizationId,
    );
    expect(await world.faultOf("journal")).toMatchObject({ journalId: "jrn_orphan" });
  });
});

describe("two swapped rows", () => {
  it("by their numbers", async () => {
    await world.raw.run("update postings set sequence = 1000 where ledger_account_id = ? and sequence = 4", chain);
    await world.raw.run("update postings set sequence = 4 where ledger_account_id = ? and sequence = 5", chain);
    await world.raw.run("update postings set sequence = 5 where ledger_account_id = ? and sequence = 1000", chain);
    expect(await world.faultOf("chain")).toMatchObject({ ledgerAccountId: chain, sequence: 4 });
  });

  it("by their contents", async () => {
    const [fourth, fifth] = await world.raw.run(
      "select * from postings where ledger_account_id = ? and sequence in (4, 5) order by sequence",
      chain,
    );
    for (const [row, sequence] of [
      [fourth, 5],
      [fifth, 4],
    ] as const) {
      await world.raw.run(
        "update postings set journal_id = ?, amount = ?, side = ? where ledger_account_id = ? and sequence = ?",
        row?.journal_id,
        row?.amount,
        row?.side,
        chain,
        sequence,
      );
    }
    expect(await world.faultOf("chain")).toMatchObject({ ledgerAccountId: chain, sequence: 4 });
  });
});

describe("a truncated chain", () => {
  /** Removes the last transfer from both chains. With `heads`, the ledger accounts are set back to match. */
  async function cutLastTransfer(heads: boolean) {
    const transfers = await world.raw.run(
      "select ledger_account_id, sequence, journal_id from postings where journal_id = (select journal_id from postings where ledger_account_id = ? and sequence = 6)",
      chain,
    );
    for (const { ledger_account_id: id, sequence } of transfers) {
      await world.raw.run("delete from postings where ledger_account_id = ? and sequence = ?", id, sequence);
      if (!heads) continue;
      const [last] = await world.raw.run(
        "select sequence, hash, balance_after from postings where ledger_account_id = ? order by sequence desc limit 1",
        id,
      );
      await world.raw.run(
        "update ledger_accounts set sequence = ?, head_hash = ?, balance = ? where id = ?",
        last?.sequence,
        last?.hash,
        last?.balance_after,
        id,
      );
    }
    const journalId = transfers[0]?.journal_id;
    const [journal] = await world.raw.run("select transaction_id from journals where id = ?", journalId);
    await world.raw.run("delete from journals where id = ?", journalId);
    await world.raw.run("delete from transactions where id = ?", journal?.transaction_id);
  }

  it("is noticed by the head", async () => {
    await cutLastTransfer(false);
    expect((await world.faultOf("chain")).message).toMatch(/6 postings, but 5 exist/);
  });

  it("is noticed by the checkpoint if the head was set back too", async () => {
    await cutLastTransfer(true);
    expect(await world.faultOf("checkpoint")).toMatchObject({
      checkpointNumber: 3,
      ledgerAccountId: chain,
      sequence: 6,
    });
  });

  it("is noticed by the checkpoint if replaced by a tail with valid hashes", async () => {
    const [journal] = await world.raw.run(
      "select * from journals where id = (select journal_id from postings where ledger_account_id = ? and sequence = 6)",
      chain,
    );
    const createdAt = Number(journal?.created_at) - 1;
    await world.raw.run("update journals set created_at = ? where id = ?", createdAt, journal?.id);
    for (const p of await world.raw.run("select * from postings where journal_id = ?", journal?.id)) {
      const hash = postingHash(
        {
          id: String(journal?.id),
          organizationId: String(journal?.organization_id),
          ...{ sourceKind: "transaction", sourceId: String(journal?.source_id), transactionId: null },
          event: String(journal?.event),
          ...{ bookedAt: Number(journal?.booked_at), valueAt: Number(journal?.value_at), createdAt },
        },
        {
          ledgerAccountId: String(p.ledger_account_id),
          sequence: Number(p.sequence),
          journalId: String(p.journal_id),
          side: p.side === "debit" ? "debit" : "credit",
          amount: Number(p.amount),
          currency: String(p.currency),
          balanceAfter: Number(p.balance_after),
          ...{ organizationId: String(p.organization_id), bookedAt: Number(p.booked_at) },
          previousHash: String(p.previous_hash),
        },
      );
      await world.raw.run(
        "update postings set hash = ? where ledger_account_id = ? and sequence = ?",
        hash,
        p.ledger_account_id,
        p.sequence,
      );
      await world.raw.run("update ledger_accounts set head_hash = ? where id = ?", hash, p.ledger_account_id);
    }
    expect(await world.faultOf("checkpoint")).toMatchObject({
      checkpointNumber: 3,
      ledgerAccountId: chain,
      sequence: 6,
    });
  });
});
