// Proof that the numbers of invoices, and those of credit notes, have no gaps.
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
