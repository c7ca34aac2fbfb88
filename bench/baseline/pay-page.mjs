// The baseline's pay page: the product's statement, then the page that the product rendered, as a constant.
import { readFileSync } from "node:fs";
import { sha256 } from "./credentials.mjs";

const { BASELINE_PAY_PAGE: file } = process.env;
const page = file ? readFileSync(file, "utf8") : "";

const byLink = `
  select payments.*, accounts.* from payments
  inner join accounts on accounts.id = payments.account_id
  where payments.link_hash = ?`;

export async function payPage(db, token) {
  const row = await db.read.get(byLink, sha256(token));
  if (!row) throw new Error("No such link.");
  return page;
}
