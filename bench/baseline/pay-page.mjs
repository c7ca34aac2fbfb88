// The baseline's pay page: the product's statements, then the page that the product rendered, as a constant.
import { readFileSync } from "node:fs";
import { sha256 } from "./credentials.mjs";

const { BASELINE_PAY_PAGE: file } = process.env;
const page = file ? readFileSync(file, "utf8") : "";

const byLink = `
  select payments.id as payment_id, payments.*, accounts.* from payments
  inner join accounts on accounts.id = payments.account_id
  where payments.link_hash = ?`;

const attempts = `
  select status, provider, amount_authorized, amount_captured, amount_released, amount_refunded, amount_disputed,
    capture_before, failure, action_url, settled_at
  from transactions
  where payment_id = ? and type = 'payment'
  order by organization_id, created_at, id`;

export async function payPage(db, token) {
  const row = await db.read.get(byLink, sha256(token));
  if (!row) throw new Error("No such link.");
  await db.read.all(attempts, row.payment_id);
  return page;
}
