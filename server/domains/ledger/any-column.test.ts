// Changes every column of every proved table: the proof notices, or the list below says why it cannot.
import { afterAll, beforeAll, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import type { Actor } from "@/server/kit/context";
import { applyTo, askCustomer, makeCredit, newCustomer, refund } from "@/test/credit";
import { askMany, payUse } from "@/test/link-payer";
import { cancelRequest, captureRequest } from "@/test/merchant";
import { create, earn } from "@/test/money";
import { ask, card, payWith, transactionsOf } from "@/test/payer";
import { openRawAccess, type RawAccess } from "@/test/raw-access";
import { openWorld, type World } from "@/test/world";
import { writeCheckpoint } from "./checkpoint";
import { verifyLedger } from "./verify";

let world: World;
let raw: RawAccess;

const tables = [
  "ledger_accounts",
  "journals",
  "postings",
  "ledger_checkpoints",
  "ledger_checkpoint_heads",
  "transactions",
  "payments",
  "customer_credits",
  "customer_credit_uses",
] as const;
type Table = (typeof tables)[number];

const text = "it is not money, and no other row repeats it";
const date = "a date that no posting depends on";

/** Columns that the proof does not cover, with the reason. */
const uncovered: Partial<Record<Table, Readonly<Record<string, string>>>> = {
  transactions: {
    changed_at: date,
    capture_before: date,
    settled_at: date,
    start_before: date,
    effective_at: date,
    updated_at: date,
    unexpected_dispute: "what the provider said, of which nothing is posted",
    unexpected_dispute_at: date,
    late_at: date,
    capture_requested: "a decision that has not moved money yet; only its bounds are proved",
    amount_surplus: "the split of a surplus over refunds depends on their order; only bounds and sums are proved",
    dispute_reference: "only the provider knows it",
    customer_id: "whose it is is not money, and no posting depends on it",
    provider_reference: "only the provider knows it",
    attempt_key: "it only distinguishes forms",
    card_before: "it decides which card is charged next, which is not money",
    stored_method: "only the provider knows the stored card",
    ...Object.fromEntries(
      "payment_method card_last4 failure reason reference description customer customer_email_key customer_reference metadata action_url"
        .split(" ")
        .map((name) => [name, text]),
    ),
  },
  payments: {
    updated_at: "the status is derived as of this instant: a change that keeps the status is not noticed",
    expires_at: date,
    draft: "once something was paid, it does not matter that it was a draft",
    viewed_at: date,
    due_at: date,
    failed_at: date,
    cards_allowed_at: date,
    extended_at: date,
    changed_at: date,
    version: "it counts changes, not money",
    capture_method: "it only affects the next attempt",
    allow_partial: "it only affects the next attempt",
    minimum_amount: "it only affects the next attempt",
    is_idle: "it decides whether lists show it as open, which is not money",
    payer_key: "it only bounds how many places an address holds",
    many_declines_at: date,
    paused_at: date,
    came_late_at: date,
    over_limit_at: date,
    expires_alone: "it decides what an extension of the link moves, which is not money",
    link_requested_at: date,
    link_request_mail_id: "which mail told the account is not money",
    link_answered_at: date,
    reminder_waits_since: "since when a reminder waits is not money",
    customer_id: "whom it is addressed to is not money, and no posting depends on it",
    invoice: "the record of the invoice says the same, and never changes",
    pdf_problem: text,
    link_hash: "the link is not money",
    link_nonce: "the link is not money",
    link_key_id: "the link is not money",
    ...Object.fromEntries(
      "type description reference customer customer_email_key line_items subscription success_url cancel_url locale metadata last_error action_url cancellation_reason write_off_reason"
        .split(" ")
        .map((name) => [name, text]),
    ),
  },
  customer_credits: { created_at: "a date that only decides which credit is spent first" },
};

/** A covered column in a row where nothing else depends on it. */
const isUncovered = (table: Table, column: string, row: Record<string, unknown>): boolean =>
  // The provider that declined or released a payment: no posting names it. How often a link that is not full can be used.
  (table === "transactions" && column === "provider" && row.type === "payment" && Number(row.amount_captured) === 0) ||
  (table === "payments" && ["usage_limit", "is_trial"].includes(column) && Number(row.usage_limit) !== 1);

beforeAll(async () => {
  world = await openWorld();
  const { admin, member, other } = await world.organization();
  await earn(world, member, 5000);
  const common = { account_id: member.accountId, currency: "EUR" };
  await create(world, admin.actor, { type: "credit", amount: 70, ...common });
  await create(world, admin.actor, {
    type: "adjustment",
    direction: "out",
    reason: "correction",
    amount: 30,
    ...common,
  });
  await create(world, member.actor, {
    type: "transfer",
    amount: 400,
    ...common,
    destination_account_id: other.accountId,
  } as const);
  await writeCheckpoint(world.runtime);
  const linkOf = async (capture_method: "automatic" | "manual", number = "4242424242424242") => {
    world.clock.advance(1000);
    const { payment, token } = await ask(world, member.actor, { capture_method });
    await payWith(world, token, card(number));
    return payment.payment_id;
  };
  const paid = await linkOf("automatic");
  const [charge] = await transactionsOf(world, paid);
  await refund(world, member.actor, charge?.id ?? "", 250);
  const partly = await linkOf("manual");
  await captureRequest(world, member.actor, partly, 500);
  await linkOf("manual");
  await linkOf("automatic", "4000000000000002");
  await cancelRequest(world, member.actor, await linkOf("manual"));
  await ask(world, member.actor);
  const { token } = await askMany(world, member.actor);
  await payUse(world, token);
  await payUse(world, token, card("4000002760003184"));
  await moveCredit(member.actor);
  await writeCheckpoint(world.runtime);
  raw = await openRawAccess(world.database.url, tables);
}, 60_000);
afterAll(async () => {
  await raw.close();
  await world.close();
});

/** Makes credit, spends a part of it, and refunds a part of both payments. */
async function moveCredit(actor: Actor): Promise<void> {
  const customer = await newCustomer(world, actor);
  const source = await makeCredit(world, actor, customer, 90);
  const paid = await applyTo(world, actor, await askCustomer(world, actor, customer, 60));
  await refund(world, actor, paid.transaction_ids[0] ?? "", 20);
  await refund(world, actor, source, 30);
}

const proof = () => verifyLedger(world.database.url, world.runtime.keys);

/** Another value of the same type. */
function other(value: unknown, column: string): unknown {
  if (typeof value === "boolean") return !value;
  if (column === "installments") return JSON.stringify([{ amount: 1, due_at: 1 }]);
  if (column === "usage_limit" || column === "uses_reserved") return Number(value ?? 0) + 1000;
  if (column === "custom_amount") return '{"a":"b"}';
  if (["livemode", "uses_credit", "is_trial", "is_renewal"].includes(column)) return value === 0 ? 1 : 0;
  if (
    /(_at|_before)$|amount|fee|balance|sequence|number|count|version/.test(column) &&
    !/account|key|hash/.test(column)
  ) {
    return Number(value ?? 0) + 1000;
  }
  if (column === "capture_requested") return 1;
  if (value === null) return column === "failed_at" ? 1 : "other";
  if (typeof value === "object" || /^[[{]/.test(String(value))) return '{"a":"b"}';
  return `${value}x`;
}

const keys: Record<Table, string[]> = {
  ledger_accounts: ["id"],
  journals: ["id"],
  postings: ["ledger_account_id", "sequence"],
  ledger_checkpoints: ["number"],
  ledger_checkpoint_heads: ["checkpoint_number", "ledger_account_id"],
  transactions: ["id"],
  payments: ["id"],
  customer_credits: ["id"],
  customer_credit_uses: ["transaction_id", "credit_id"],
};

/** The proof is the same on both engines, and takes several times longer on PostgreSQL, where each connects anew. */
const rowsPerColumn = dialect === "sqlite" ? 6 : 2;

it("starts from a sound ledger", async () => {
  expect(await proof()).toMatchObject({ ok: true });
});

it.each(tables)(
  "%s: every change of a covered column is noticed",
  async (table) => {
    const rows = await raw.run(`select * from ${table} order by ${keys[table].join(", ")}`);
    const step = Math.max(1, Math.floor(rows.length / rowsPerColumn));
    const known = uncovered[table] ?? {};
    const columns = Object.keys(rows[0] ?? {});
    // Every name in the list is a column.
    expect(Object.keys(known).filter((name) => !columns.includes(name))).toEqual([]);
    const unseen: string[] = [];
    for (const column of columns.filter((name) => !(name in known))) {
      for (let i = 0; i < rows.length; i += step) {
        const row = rows[i] ?? {};
        if (isUncovered(table, column, row)) continue;
        const where = keys[table].map((key) => `${key} = ?`).join(" and ");
        const at = keys[table].map((key) => row[key]);
        const changed = other(row[column], column);
        await raw.run(`update ${table} set ${column} = ? where ${where}`, changed, ...at);
        if ((await proof()).ok) unseen.push(`${column} of ${at.join(" ")}: ${row[column]} to ${changed}`);
        const back = keys[table].map((key) => (key === column ? changed : row[key]));
        await raw.run(`update ${table} set ${column} = ? where ${where}`, row[column], ...back);
      }
    }
    expect(unseen).toEqual([]);
    expect(await proof()).toMatchObject({ ok: true });
  },
  120_000,
);
