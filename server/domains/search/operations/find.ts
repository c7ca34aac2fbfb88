// Searches payment requests, transactions, customers, accounts, users and subscriptions at once, for the dashboard's search.
import { may } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { searchedAccounts } from "@/server/domains/accounts/authorized-account";
import { accountSource } from "@/server/domains/accounts/search-store";
import { customerSources } from "@/server/domains/customers/search-store";
import { statusAt } from "@/server/domains/payments/derive";
import { sourcesOf as paymentSources } from "@/server/domains/payments/search-store";
import { subscriptionSources } from "@/server/domains/subscriptions/search-store";
import { titlesOf } from "@/server/domains/subscriptions/shown-store";
import { sourcesOf as transactionSources } from "@/server/domains/transactions/search";
import { shownTransactions } from "@/server/domains/transactions/shown";
import { userSource } from "@/server/domains/users/store";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { lookOnce, type Source } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import type { Position } from "@/server/kit/page";
import { iso } from "@/server/process/clock";
import { type Found, findInput, found } from "../schema";

const most = limits.foundOfKind;

export const findEverything = operation({
  id: "search.find",
  summary: "Search everything",
  description:
    "The newest few payment requests, subscriptions, transactions, customers, accounts and users that the caller sees, by " +
    "beginnings of words or a full id. Words that very many records have are searched among the newest, and so are " +
    "accounts and users.",
  access: rules["search.find"],
  time: "organization",
  effect: "read",
  input: findInput,
  output: found,
  errors: {},
  async run({ ctx, input: { q } }) {
    const accountIds = await searchedAccounts(ctx, undefined);
    return {
      payments: await findPayments(ctx, accountIds, q),
      subscriptions: await findSubscriptions(ctx, accountIds, q),
      transactions: await findTransactions(ctx, accountIds, q),
      customers: await findCustomers(ctx, accountIds, q),
      accounts: await findAccounts(ctx, q),
      users: may("users.list", ctx.actor) ? await findUsers(ctx, q) : [],
    };
  },
});

/** The accounts that the caller sees; null for the whole organization. */
type AccountIds = readonly string[] | null;

const customerOf = (customer: { name: string | null; email: string | null } | null) => ({
  customer_name: customer?.name ?? null,
  customer_email: customer?.email ?? null,
});

async function findPayments(ctx: ReadContext, accounts: AccountIds, q: string): Promise<Found["payments"]> {
  const search = { organizationId: ctx.scope.organizationId, accounts, filters: { q }, now: ctx.now };
  const sources = await inTurn(ctx.request, () => paymentSources(ctx.db, search));
  return (await lookOnce(ctx.request, sources, most)).map((row) => ({
    payment_id: row.id,
    status: statusAt(row, ctx.now),
    amount: row.amount,
    amount_lost: row.amountLost,
    currency: row.currency,
    paused: row.pausedAt !== null,
    description: row.description,
    reference: row.reference,
    invoice_number: row.invoiceNumber,
    ...customerOf(row.customer),
  }));
}

async function findSubscriptions(ctx: ReadContext, accounts: AccountIds, q: string): Promise<Found["subscriptions"]> {
  const search = { organizationId: ctx.scope.organizationId, accounts, filters: { q } };
  const sources = await inTurn(ctx.request, () => subscriptionSources(ctx.db, search));
  const rows = await lookOnce(ctx.request, sources, most);
  const titles = await titlesOf(
    ctx.db,
    ctx.scope,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id: subscription_id, status, amount, currency }) => {
    const title = titles.find(({ id }) => id === subscription_id);
    const customer = title ? { name: title.customerName, email: title.customerEmail } : null;
    return {
      subscription_id,
      status,
      amount,
      currency,
      description: title?.description ?? null,
      ...customerOf(customer),
    };
  });
}

async function findTransactions(ctx: ReadContext, accounts: AccountIds, q: string): Promise<Found["transactions"]> {
  const search = { organizationId: ctx.scope.organizationId, accounts, filters: { q }, now: ctx.now };
  const sources = await inTurn(ctx.request, () => transactionSources(ctx.db, search));
  const rows = await lookOnce(ctx.request, sources, most);
  return (await shownTransactions(ctx, rows)).map((shown) => {
    const { transaction_id, type, status, amount, currency, customer, ...rest } = shown;
    const { description, reference, created_at } = rest;
    const texts = { description, reference, created_at, ...customerOf(customer) };
    return { transaction_id, type, status, amount, currency, ...texts };
  });
}

async function findCustomers(ctx: ReadContext, accounts: AccountIds, q: string): Promise<Found["customers"]> {
  const search = { organizationId: ctx.scope.organizationId, accounts, filters: { q } };
  const sources = await inTurn(ctx.request, () => customerSources(ctx.db, search));
  return (await lookOnce(ctx.request, sources, most)).map(({ id, name, email, reference, createdAt }) => ({
    customer_id: id,
    ...{ name, email, reference },
    created_at: iso(createdAt),
  }));
}

/** Those with exactly this id or address, which have indices; else the newest with the words, which have none. */
async function named<Row extends Position>(
  { request }: ReadContext,
  prefix: "acct" | "usr",
  q: string,
  sourceOf: (filters: { email: string } | { q: string }) => Source<Row>,
): Promise<Row[]> {
  const text = q.trim();
  /** All matches, without the edges between windows. */
  const whole = ({ rows, count }: Source<Row>) => lookOnce(request, [{ rows, count }], most);
  if (isId(prefix, text)) return whole(sourceOf({ q }));
  const having = text.includes("@") ? await whole(sourceOf({ email: text })) : [];
  return having.length > 0 ? having : lookOnce(request, [sourceOf({ q })], most, limits.foundAmong);
}

async function findAccounts(ctx: ReadContext, q: string): Promise<Found["accounts"]> {
  const rows = await named(ctx, "acct", q, (filters) => accountSource(ctx.db, ctx.scope, filters));
  return rows.map(({ id, name, email, status }) => ({ account_id: id, account_name: name, email, status }));
}

async function findUsers(ctx: ReadContext, q: string): Promise<Found["users"]> {
  const rows = await named(ctx, "usr", q, (filters) => userSource(ctx.db, ctx.scope, filters));
  return rows.map(({ id, name, email, role, status }) => ({ user_id: id, name, email, role, status }));
}
