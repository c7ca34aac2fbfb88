// Proof that the numbers of invoices, and those of credit notes, have no gaps, and that no two papers have the same.
import { type Check, expectThat } from "./fault";
import type { Snapshot } from "./snapshot-store";

interface Numbered {
  paper: "invoice" | "credit note";
  /** Tables. */
  series: string;
  papers: string;
}

/** The first series whose numbers are not 1 to the last one. They are unique and above 0. */
const gapQuery = ({ series, papers }: Numbered) => `
  select s.account_id, s.year, s.last_number, count(i.sequence) as given, max(i.sequence) as highest
  from ${series} s
  left join ${papers} i on i.account_id = s.account_id and i.livemode = s.livemode and i.year = s.year
  group by s.account_id, s.livemode, s.year, s.last_number
  having count(i.sequence) <> s.last_number or max(i.sequence) <> s.last_number
  order by s.account_id, s.year limit 1`;

const strayQuery = ({ series, papers }: Numbered) => `
  select i.payment_id from ${papers} i
  left join ${series} s on s.account_id = i.account_id and s.livemode = i.livemode and s.year = i.year
  where s.account_id is null order by i.payment_id limit 1`;

/** Proves that the numbers of each account, mode and year are 1 to the last one. */
export async function proveNumbers(snapshot: Snapshot, numbered: Numbered): Promise<void> {
  const { paper } = numbered;
  const check: Check = paper === "invoice" ? "invoice" : "credit_note";
  const [gap] = await snapshot.rows(gapQuery(numbered));
  const found = gap && `${gap.given} ${paper}s up to ${gap.highest}, but the last number is ${gap.last_number}`;
  expectThat(!gap, { check }, `In ${gap?.year}, the account ${gap?.account_id} has ${found}.`);
  const [stray] = await snapshot.rows(strayQuery(numbered));
  const paymentId = String(stray?.payment_id);
  const article = paper === "invoice" ? "An" : "A";
  expectThat(!stray, { check, paymentId }, `${article} ${paper} has a number that was never given.`);
}

const twiceQuery = `
  select max(payment_id) as payment_id, number from (
    select account_id, livemode, payment_id, record ->> 'number' as number from invoices
    union all select account_id, livemode, payment_id, record ->> 'number' as number from credit_notes
  ) papers
  group by account_id, livemode, number having count(*) > 1 order by account_id, number limit 1`;

/** Proves that no two papers of an account and mode have the same number, of whatever kind they are. */
export async function proveUnique(snapshot: Snapshot): Promise<void> {
  const [twice] = await snapshot.rows(twiceQuery);
  const at = { check: "credit_note", paymentId: String(twice?.payment_id) } as const;
  expectThat(!twice, at, `Two papers have the number ${twice?.number}.`);
}

/** Each tax number and prefix of the papers of an account; the prefix is what precedes the year and the number in its series. */
const sellerQuery = (papers: string) => `
  select distinct organization_id, livemode, account_id, record -> 'seller' ->> 'vat_identifier' as tax_number,
    substr(record ->> 'number', 1, length(record ->> 'number') - length(${endOf("x")})) as prefix
  from ${papers} x where record -> 'seller' ->> 'vat_identifier' is not null`;

/** Proves that no paper has the number of one of another account with the same tax number, however that is written. */
export async function proveSellers(snapshot: Snapshot): Promise<void> {
  const accounts = new Map<string, unknown>();
  for (const papers of ["invoices", "credit_notes"]) {
    for (const row of await snapshot.rows(sellerQuery(papers))) {
      const taxNumber = [...String(row.tax_number).normalize("NFKC")].filter((one) => /[\p{L}\p{N}]/u.test(one));
      if (taxNumber.length === 0) continue;
      const { organization_id, livemode, account_id, prefix } = row;
      const seller = JSON.stringify([organization_id, Boolean(livemode), taxNumber.join("").toUpperCase(), prefix]);
      const other = accounts.get(seller) ?? account_id;
      const text = `The accounts ${other} and ${account_id} have the same tax number and papers with the prefix "${prefix}".`;
      expectThat(other === account_id, { check: papers === "invoices" ? "invoice" : "credit_note" }, text);
      accounts.set(seller, account_id);
    }
  }
}

/** How the number of a paper `p` ends: with the year and the number in its series, which has at least four digits. */
function endOf(p: string, kind = ""): string {
  const sequence = `cast(${p}.sequence as text)`;
  const digits = `case when ${p}.sequence < 10000 then substr('0000' || ${sequence}, length(${sequence}) + 1) else ${sequence} end`;
  return `('${kind}' || cast(${p}.year as text) || '-' || ${digits})`;
}

/**
 * Whether the number of a paper `p` does not end as its row says, with `kind` before the year. The prefix comes first.
 */
export function isMisnumbered(p: string, kind = ""): string {
  const [number, end] = [`coalesce(${p}.record ->> 'number', '')`, endOf(p, kind)];
  return `(length(${number}) < length${end} or substr(${number}, length(${number}) - length${end} + 1) <> ${end})`;
}

/** Whether what is said of each tax rate does not add up to the sums of a paper `p`. */
export function isMissummed({ engine }: Snapshot, p: string): string {
  const taxes =
    engine === "sqlite"
      ? `json_each(${p}.record, '$.taxes')`
      : `json_array_elements(case json_typeof(${p}.record -> 'taxes') when 'array' then ${p}.record -> 'taxes' else '[]' end)`;
  const sumOf = (field: string) =>
    `(select coalesce(sum(${integerIn("t.value", field)}), 0) from ${taxes} t where t.value ->> '${field}' is not null)`;
  const isOther = (field: string, sum: string) => `${sumOf(field)} <> ${integerIn(`${p}.record`, sum)}`;
  return `(${isOther("taxable_amount", "net_amount")} or ${isOther("tax_amount", "tax_amount")})`;
}

/** A whole number in JSON; -1 if it is missing. */
export const integerIn = (json: string, field: string): string =>
  `cast(coalesce(${json} ->> '${field}', '-1') as bigint)`;

/**
 * Whether a paper of the payment request `p` was erased although its customer was not, or before the year after the year
 * of its issue was over. A year has 31,556,952,000 ms on average; the two days make up for the difference.
 */
export const isWronglyErased = (paper: string): string => `(${paper}.erased_at is not null and (
  ${paper}.erased_at < (${paper}.year - 1968) * 31556952000 - 172800000
  or not exists (select 1 from customers c where c.id = p.customer_id and c.erased_at <= ${paper}.erased_at)))`;
