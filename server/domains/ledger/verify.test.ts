// The proof on a sound ledger, and on ledgers in which one value was changed directly in the database.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { flipped, openTamperWorld, type TamperWorld } from "@/test/tamper";
import * as rules from "./rules";
import type { Check } from "./verify/fault";

let world: TamperWorld;
let chain: string;
beforeAll(async () => {
  world = await openTamperWorld();
  chain = world.chain;
});
afterEach(() => world.raw.restore());
afterAll(() => world.close());

describe("a sound ledger", () => {
  it("is proved, and its rows are counted", async () => {
    expect(await world.verify()).toMatchObject({
      ok: true,
      counts: { ledgerAccounts: 7, postings: 16, journals: 8, transactions: 7, payments: 0, checkpoints: 3 },
    });
  });

  it("stays sound with postings after the last checkpoint", async () => {
    const correction = { accountId: world.b, amount: 5, currency: "EUR", direction: "in" } as const;
    await world.ledger.post({ type: "adjustment", status: "succeeded", ...correction }, rules.adjustment(correction));
    expect((await world.verify()).ok).toBe(true);
  });
});

describe("one changed value of a posting", () => {
  it.each([
    ["amount", "amount + 1"],
    ["side", "case side when 'debit' then 'credit' else 'debit' end"],
    ["currency", "'USD'"],
    ["balance_after", "balance_after - 1"],
    ["previous_hash", flipped("previous_hash")],
    ["hash", flipped("hash")],
    ["journal_id", "(select min(id) from journals)"],
    ["sequence", "999"],
  ])("%s", async (column, value) => {
    await world.raw.run(`update postings set ${column} = ${value} where ledger_account_id = ? and sequence = 4`, chain);
    const fault = await world.faultOf("chain");
    expect(fault.ledgerAccountId).toBe(chain);
    expect(fault.sequence).toBe(column === "sequence" ? 5 : 4);
  });

  it("ledger_account_id", async () => {
    const elsewhere = `${world.other.accountIds[0]}:available:EUR`;
    await world.raw.run(
      "update postings set ledger_account_id = ? where ledger_account_id = ? and sequence = 6",
      elsewhere,
      chain,
    );
    await world.faultOf("chain");
  });
});

describe("one changed value of a journal", () => {
  it.each([
    ["event", "'credit_grantee'"],
    ["created_at", "created_at + 1"],
    ["source_id", "(select max(id) from transactions)"],
    ["booked_at", "booked_at + 1"],
    ["value_at", "value_at + 1"],
    ["organization_id", "'org_elsewhere'"],
  ])("%s", async (column, value) => {
    await world.raw.run(
      `update journals set ${column} = ${value} where id = (select journal_id from postings where ledger_account_id = ? and sequence = 1)`,
      chain,
    );
    expect((await world.faultOf("chain")).sequence).toBe(1);
  });
});

it("a journal whose transaction is not its source", async () => {
  await world.raw.run(
    `update journals set transaction_id = (select max(id) from transactions)
     where id = (select journal_id from postings where ledger_account_id = ? and sequence = 1)`,
    chain,
  );
  expect((await world.faultOf("journal")).message).toMatch(/not its source/);
});

it.each([
  ["booked_at", "booked_at + 1"],
  ["kind", "'held'"],
  ["account_id", "null"],
])("one changed %s that a posting repeats", async (column, value) => {
  await world.raw.run(`update postings set ${column} = ${value} where ledger_account_id = ? and sequence = 2`, chain);
  expect((await world.faultOf("chain")).sequence).toBe(2);
});

it("a changed booked_at of a ledger account", async () => {
  await world.raw.run("update ledger_accounts set booked_at = booked_at + 1 where id = ?", chain);
  await world.faultOf("chain");
});

it("a journal that claims to reverse another", async () => {
  await world.raw.run("update journals set reverses_journal_id = 'jrn_other' where event = 'refund_created'");
  await world.faultOf("journal");
});

describe("one changed value of a ledger account", () => {
  it.each<[string, string, Check]>([
    ["balance", "balance + 1", "chain"],
    ["sequence", "sequence - 1", "chain"],
    ["head_hash", flipped("head_hash"), "chain"],
    ["created_at", "created_at + 1", "chain"],
    ["normal_side", "'debit'", "ledger_account"],
    ["currency", "'USD'", "ledger_account"],
    ["name", "'held'", "ledger_account"],
    ["account_id", "null", "ledger_account"],
    ["organization_id", "'org_elsewhere'", "ledger_account"],
  ])("%s", async (column, value, check) => {
    await world.raw.run(`update ledger_accounts set ${column} = ${value} where id = ?`, chain);
    expect((await world.faultOf(check)).ledgerAccountId).toBe(chain);
  });
});

describe("one changed value of a checkpoint", () => {
  it.each([
    ["ledger_checkpoints", "number", "9"],
    ["ledger_checkpoints", "created_at", "created_at + 1"],
    ["ledger_checkpoints", "head_count", "head_count + 1"],
    ["ledger_checkpoints", "key_id", "'00000000'"],
    ["ledger_checkpoints", "signature", flipped("signature")],
    ["ledger_checkpoint_heads", "sequence", "sequence - 1"],
    ["ledger_checkpoint_heads", "hash", flipped("hash")],
  ])("%s.%s", async (table, column, value) => {
    const number = table === "ledger_checkpoints" ? "number" : "checkpoint_number";
    await world.raw.run(`update ${table} set ${column} = ${value} where ${number} = 2`);
    expect((await world.faultOf("checkpoint")).checkpointNumber).toBe(2);
  });
});

describe("one changed value of a transaction", () => {
  it.each([
    ["payment", "amount_authorized", "amount_authorized + 1"],
    ["payment", "amount_captured", "amount_captured + 1"],
    ["payment", "amount_released", "1"],
    ["payment", "fee_amount", "1"],
    ["payment", "amount_refunded", "amount_refunded - 1"],
    ["payment", "amount_refunding", "1"],
    ["payment", "dispute_status", "'won'"],
    ["payment", "currency", "'USD'"],
    ["refund", "amount", "amount - 1"],
    ["refund", "status", "'pending'"],
    ["transfer", "amount", "amount + 1"],
    ["transfer", "account_id", "destination_account_id"],
    ["credit", "status", "'failed'"],
  ])("%s: %s", async (type, column, value) => {
    await world.raw.run(`update transactions set ${column} = ${value} where type = ?`, type);
    await world.faultOf("transaction");
  });

  it("its organization", async () => {
    await world.raw.run(
      "update transactions set organization_id = ? where type = 'refund'",
      world.other.organizationId,
    );
    await world.faultOf("journal");
  });
});

describe("a missing guard", () => {
  const definition = async (name: string) => {
    const [kept] =
      dialect === "sqlite"
        ? await world.raw.run("select sql from sqlite_master where name = ?", name)
        : await world.raw.run("select pg_get_triggerdef(oid) as sql from pg_trigger where tgname = ?", name);
    return String(kept?.sql);
  };
  const ledgerTables = ["journals", "postings", "ledger_checkpoints", "ledger_checkpoint_heads"];
  const records = ["events", "audit_entries", "audit_seals", "audit_seal_entries"];
  const tables = [...ledgerTables, ...records, "invoices", "credit_notes", "credit_note_voids"];
  const guards = dialect === "sqlite" ? ["no_update", "no_delete", "no_replace"] : ["append_only"];
  const onRows = (dialect === "sqlite" ? [] : ["invoices", "credit_notes"]).map((table) => [table, "only_erased"]);
  const all = [...tables.flatMap((table) => guards.map((guard) => [table, guard])), ...onRows];

  it.each(all as [string, string][])("%s_%s", async (table, guard) => {
    const name = `${table}_${guard}`;
    const whole = await definition(name);
    const drop = dialect === "sqlite" ? `drop trigger ${name}` : `drop trigger ${name} on ${table}`;
    await world.raw.run(drop);
    expect((await world.faultOf("append_only")).message).toMatch(`on ${table} is missing`);
    // A trigger whose condition is never met protects nothing.
    const hollow =
      dialect === "sqlite"
        ? whole.replace(/\s(?:WHEN\s[\s\S]*\s)?BEGIN/, " WHEN 0 BEGIN")
        : whole.replace(/FOR EACH (STATEMENT|ROW)/, "FOR EACH $1 WHEN (false)").replace(" OR TRUNCATE", "");
    await world.raw.run(hollow);
    await world.faultOf("append_only");
    await world.raw.run(drop);
    await world.raw.run(whole);
    expect((await world.verify()).ok).toBe(true);
  });
});
