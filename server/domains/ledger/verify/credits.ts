// Proof of customers' credit: each has its source, what is left of it follows from what was done with it, and what is owed
// to each customer is the sum of what is left.
import { expectThat } from "./fault";
import { everyRow, grouped, pageSize, type Row, type Snapshot } from "./snapshot-store";

const creditsQuery = `
  select c.id, c.organization_id, c.account_id, c.customer_id, c.currency, c.amount, c.amount_left, c.amount_spent,
    case when c.livemode then 1 else 0 end as is_live,
    t.type, t.provider, t.amount_captured, t.payment_id, t.organization_id as source_organization_id,
    t.account_id as source_account_id, t.currency as source_currency,
    case when t.livemode then 1 else 0 end as source_is_live, case when t.uses_credit then 1 else 0 end as is_of_credit,
    h.account_id as customer_account_id, h.merged_into, h.erased_at
  from customer_credits c left join transactions t on t.id = c.id left join customers h on h.id = c.customer_id
  where c.id > ? order by c.id limit ${pageSize}`;

const usesQuery = `
  select u.credit_id, u.kind, u.amount, u.amount_given_back, u.transaction_id, t.type, t.status, t.account_id,
    t.currency, t.parent_transaction_id, case when t.livemode then 1 else 0 end as is_live,
    case when t.uses_credit then 1 else 0 end as is_of_credit,
    (select coalesce(sum(g.amount), 0) from customer_credit_uses g join transactions r on r.id = g.transaction_id
      where g.credit_id = u.credit_id and r.parent_transaction_id = u.transaction_id and g.kind = 'given_back'
    ) as given_back_by_refunds,
    (select count(*) from customer_credit_uses s where s.credit_id = u.credit_id and s.kind = 'spent'
      and s.transaction_id = t.parent_transaction_id) as spent_by_parent
  from customer_credit_uses u left join transactions t on t.id = u.transaction_id
  where u.credit_id > ? and u.credit_id <= ? order by u.credit_id, u.transaction_id`;

/** Proves every credit, given that postings and transactions are sound. */
export async function proveCredits(snapshot: Snapshot): Promise<void> {
  for (let after = ""; ; ) {
    const page = await snapshot.rows(creditsQuery, [after]);
    const last = page.at(-1);
    if (!last) break;
    const uses = grouped(await snapshot.rows(usesQuery, [after, String(last.id)]), "credit_id");
    for (const credit of page) {
      proveSource(credit);
      proveUses(credit, uses.get(String(credit.id)) ?? []);
    }
    after = String(last.id);
  }
  await proveAmounts(snapshot);
  await proveOwed(snapshot);
}

const atRow = ({ id }: Row) => ({ check: "credit", transactionId: String(id) }) as const;

/** A credit was made of an offline payment, for a customer of the same account who was not merged into another. */
function proveSource(credit: Row): void {
  const at = atRow(credit);
  const same = ["organization_id", "account_id", "currency", "is_live"];
  const fits = same.every((name) => credit[name] === credit[`source_${name}`]);
  const isOffline = credit.type === "payment" && credit.provider === null && credit.is_of_credit === 0n;
  expectThat(fits && isOffline, at, "The source is not an offline payment of the same account, currency and mode.");
  const captured = BigInt(credit.amount_captured ?? 0);
  expectThat(BigInt(credit.amount ?? 0) <= captured, at, "The credit is larger than the payment that it was made of.");
  expectThat(credit.payment_id !== null, at, "The source counts towards no payment request.");
  const isOwn = credit.customer_account_id === credit.account_id;
  expectThat(isOwn, at, "The customer does not exist or belongs to another account.");
  expectThat(credit.merged_into === null, at, `The customer was merged into ${credit.merged_into}.`);
  const isKept = credit.erased_at === null || BigInt(credit.amount_left ?? 0) === 0n;
  expectThat(isKept, at, "Something is left of the credit although its customer was erased.");
}

/** What is left and what is spent follow from what transactions did with the credit. */
function proveUses(credit: Row, uses: readonly Row[]): void {
  const at = atRow(credit);
  for (const use of uses) {
    const fits = ["account_id", "currency", "is_live"].every((name) => use[name] === credit[name]);
    expectThat(fits && isExplained(use), at, `${use.transaction_id} cannot have ${use.kind} this credit.`);
    const given = use.kind === "spent" ? use.given_back_by_refunds : 0n;
    expectThat(
      use.amount_given_back === given,
      at,
      `${use.amount_given_back} of what ${use.transaction_id} spent was given back, but its refunds say ${given}.`,
    );
  }
  const sum = (kind: string) => uses.reduce((all, use) => all + (use.kind === kind ? BigInt(use.amount ?? 0) : 0n), 0n);
  const spent = sum("spent") - sum("given_back");
  const expected = { amount_spent: spent, amount_left: BigInt(credit.amount ?? 0) - spent - sum("taken_back") };
  for (const [name, value] of Object.entries(expected)) {
    expectThat(credit[name] === value, at, `${name} is ${credit[name]}, but the transactions say ${value}.`);
    expectThat(value >= 0n, at, `${name} is negative.`);
  }
}

/** Whether a transaction of its kind can have done this. */
function isExplained({ kind, type, status, parent_transaction_id: parent, ...use }: Row): boolean {
  if (kind === "spent") return type === "payment" && use.is_of_credit === 1n;
  if (type !== "refund" || status === "failed") return false;
  if (kind === "taken_back") return parent === use.credit_id && use.is_of_credit === 0n;
  return kind === "given_back" && use.is_of_credit === 1n && use.spent_by_parent === 1n;
}

const amountsQuery = `
  select t.id, t.amount, coalesce((select sum(u.amount) from customer_credit_uses u where u.transaction_id = t.id), 0) as used
  from transactions t where t.id > ? and t.uses_credit order by t.id`;

/** A transaction that uses credit takes or gives back its whole amount. */
async function proveAmounts(snapshot: Snapshot): Promise<void> {
  for await (const row of everyRow(snapshot, amountsQuery, [""], (one) => [one.id ?? ""])) {
    expectThat(row.amount === row.used, atRow(row), `It uses ${row.used} of credits, but its amount is ${row.amount}.`);
  }
}

const owedQuery = `
  select l.id, l.name, l.balance, l.for_account_id, h.account_id as customer_account_id,
    coalesce((select sum(c.amount_left) from customer_credits c where c.customer_id = h.id and c.currency = l.currency
      and c.livemode = l.livemode), 0) as left_of_credits
  from ledger_accounts l
  left join customers h on h.id = case when l.name like 'cust:%' then substr(l.name, 6, 30) end
  where l.id > ? and l.name like 'cust:%' order by l.id`;

const unpostedQuery = `
  select c.id from customer_credits c where c.amount_left > 0 and not exists (
    select 1 from ledger_accounts l where l.id = c.organization_id || '/' || c.account_id || ':cust:' || c.customer_id
      || ':credit:' || c.currency || case when c.livemode then ':live' else '' end)
  order by c.id limit 1`;

/** What is owed to each customer is what is left of its credits. */
async function proveOwed(snapshot: Snapshot): Promise<void> {
  for await (const row of everyRow(snapshot, owedQuery, [""], (one) => [one.id ?? ""])) {
    const at = { check: "credit", ledgerAccountId: String(row.id) } as const;
    const isOwn = row.customer_account_id !== null && row.customer_account_id === row.for_account_id;
    expectThat(isOwn, at, "The customer does not exist or belongs to another account.");
    const isWhole = row.balance === row.left_of_credits;
    expectThat(isWhole, at, `The balance is ${row.balance}, but ${row.left_of_credits} is left of the credits.`);
  }
  const [unposted] = await snapshot.rows(unpostedQuery);
  expectThat(unposted === undefined, atRow(unposted ?? {}), "The credit was never posted for its customer.");
}
