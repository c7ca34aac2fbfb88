// Every number on Home that is a link: after any history, it equals the total of the list that it leads to.
import { and, eq, gt, inArray, sql } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listInput } from "@/app/_trpc/list-page";
import { type ListShape, readListQuery } from "@/app/_ui/list-query";
import { listShape as requestShape } from "@/app/dashboard/payment-requests/_parts/list-shape";
import { listShape as subscriptionShape } from "@/app/dashboard/subscriptions/_parts/list-shape";
import { listShape as transactionShape } from "@/app/dashboard/transactions/_parts/list-shape";
import { accounts, journals, ledgerAccounts, postings, transactions, users } from "@/db/tables";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { listOwnAccounts } from "@/server/domains/accounts/operations/list-own";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { overviewFigures } from "@/server/domains/overview/operations/figures";
import { paymentQuery } from "@/server/domains/payments/filters";
import { issueFormToken } from "@/server/domains/payments/form-token";
import { createPayment } from "@/server/domains/payments/operations/create";
import { getPayment } from "@/server/domains/payments/operations/get";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { requestLink } from "@/server/domains/payments/operations/request-link";
import { simulateEvent } from "@/server/domains/sandbox/operations/simulate";
import { resumeSubscription } from "@/server/domains/subscriptions/operations/change";
import { listSubscriptions } from "@/server/domains/subscriptions/operations/read";
import { listInput as subscriptionQuery } from "@/server/domains/subscriptions/schema";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { type Transaction, transactionQuery } from "@/server/domains/transactions/schema";
import { listUsers } from "@/server/domains/users/operations/list";
import type { Actor } from "@/server/kit/context";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { cancelRequest, captureRequest, refundRequest } from "@/test/merchant";
import { create } from "@/test/money";
import { anyone, card, goodCard, payWith, tokenOf } from "@/test/payer";
import { cyclesOf, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { attentionAddress, disputedAddress, movedAddress, openAddress, requestedAddress } from "./home-address";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const requestAct = fc.record({
  kind: fc.constant("request" as const),
  type: fc.constantFrom("product" as const, "invoice" as const),
  amount: fc.integer({ min: 100, max: 5000 }),
  currency: fc.constantFrom("EUR", "JPY"),
  expiresIn: fc.constantFrom(null, hourMs, 30 * hourMs, 9 * dayMs),
  isManual: fc.boolean(),
});
/** What is done with one of the requests made so far. */
const laterAct = fc.record({
  kind: fc.constantFrom(
    ...(["pay", "pay", "decline", "capture", "payPart", "refundPart", "refundAll", "cancel", "askForLink"] as const),
    ...(["refund", "dispute", "dispute", "dispute_won", "dispute_lost"] as const),
  ),
  of: fc.nat({ max: 5 }),
});
const otherAct = fc.constantFrom(
  ...(["offline", "effectiveEarlier", "orphan", "secureAdmin"] as const).map((kind) => ({ kind })),
);
const waitAct = fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(hourMs, 13 * hourMs, 6 * dayMs) });
const anyAct = fc.oneof(
  { weight: 4, arbitrary: requestAct },
  { weight: 6, arbitrary: laterAct },
  { weight: 1, arbitrary: otherAct },
  { weight: 2, arbitrary: waitAct },
);
/** A payment that is disputed, before anything else happens. */
const disputed = fc.constantFrom(null, "dispute_won" as const, "dispute_lost" as const).map((end) => {
  const request = { kind: "request", type: "product", amount: 900, currency: "EUR", expiresIn: null, isManual: false };
  const later = (kind: "pay" | "dispute" | "dispute_won" | "dispute_lost") => ({ kind, of: 0 });
  return [request, later("pay"), later("dispute"), ...(end ? [later(end)] : [])] as Act[];
});
/** An invoice that becomes overdue, in every second history. */
const overdue = fc.boolean().map((isOne) => {
  const request = { kind: "request", type: "invoice", amount: 800, currency: "EUR", expiresIn: null, isManual: false };
  return isOne ? ([request, { kind: "wait", ms: 13 * hourMs }] as Act[]) : [];
});
type Act = typeof anyAct extends fc.Arbitrary<infer One> ? One : never;

interface Made {
  id: string;
  token: string;
  amount: number;
  currency: string;
  paid: string[];
}

/** Runs an act; what is refused, such as paying twice, changes nothing. */
async function run(act: Act, { admin, member }: TestOrganization, made: Made[]): Promise<void> {
  const { actor, accountId: account_id } = member;
  if (act.kind === "request") {
    const { type, amount, currency, expiresIn, isManual } = act;
    const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
    const request = await world.call(createPayment, actor, {
      ...{ type, amount, currency, capture_method: isManual ? "manual" : "automatic" },
      ...(type === "invoice" ? { due_at: at(12 * hourMs) } : {}),
      ...(expiresIn === null ? {} : { expires_at: at(expiresIn) }),
    });
    made.push({ id: request.payment_id, token: tokenOf(request.payment_url), amount, currency, paid: [] });
  } else if (act.kind === "wait") world.clock.advance(act.ms);
  else if (act.kind === "offline" || act.kind === "effectiveEarlier") {
    const effective_at = act.kind === "offline" ? null : new Date(world.clock.now() - 5 * dayMs).toISOString();
    await create(world, actor, { type: "payment", account_id, amount: 700, currency: "EUR", effective_at });
  } else if (act.kind === "orphan") {
    const orphaned = { ownerUserId: null, orphanedAt: world.clock.now() };
    await world.runtime.db.write((tx) => tx.update(accounts).set(orphaned).where(eq(accounts.id, account_id)));
  } else if (act.kind === "secureAdmin") {
    await world.runtime.db.write((tx) => tx.update(users).set({ mfaEnabled: true }).where(eq(users.id, admin.id)));
  } else if ("of" in act) {
    const request = made.at(act.of % Math.max(1, made.length));
    if (request) await runLater(act.kind, request, admin.actor);
  }
}

async function runLater(kind: string, request: Made, actor: Actor): Promise<void> {
  const { id, token, amount, currency, paid } = request;
  const part = { type: "payment", payment_id: id, amount: Math.ceil(amount / 3), currency } as const;
  const parent = paid.at(-1);
  const refund = parent && ({ type: "refund", parent_transaction_id: parent } as const);
  if (kind === "pay") await payWith(world, token, goodCard);
  else if (kind === "decline") await payWith(world, token, card("4000000000000002"));
  else if (kind === "capture") await captureRequest(world, actor, id, 50);
  else if (kind === "payPart") paid.push((await create(world, actor, part)).transaction_id);
  else if (kind === "refundPart" && refund) await create(world, actor, { ...refund, amount: 10 });
  else if (kind === "refundAll" && refund) await create(world, actor, refund);
  else if (kind === "cancel") await cancelRequest(world, actor, id);
  else if (kind === "askForLink") await askForLink(token);
  else if (kind === "refund") await refundRequest(world, actor, id);
  else if (kind === "dispute" || kind === "dispute_won" || kind === "dispute_lost") {
    await world.call(simulateEvent, actor, { payment_id: id, event: kind });
  }
}

/** The payer of an expired payment request asks for a new link. */
async function askForLink(token: string): Promise<void> {
  const form_token = issueFormToken(world.runtime.keys, "ask", token, world.clock.now());
  await world.call(requestLink, anyone, { token, form_token });
}

/** A pay page without a form refuses, too. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && ("code" in error || error.message.startsWith("The page shows no form"));

const readAddress = (shape: ListShape, address: string) =>
  readListQuery(shape, Object.fromEntries(new URL(address, "http://x").searchParams));

const listOf = (path: string, filters: readonly string[]): ListShape => ({ path, filters, columns: ["id"] });

/** The rows of the list at an address, and their total as the list shows it. */
async function requestsAt(actor: Actor, address: string) {
  const input = listInput(paymentQuery, readAddress(requestShape, address));
  const { data, total_count } = await world.call(listPaymentRequests, actor, input);
  expect(data).toHaveLength(total_count ?? -1);
  const sumOf = (name: "amount" | "amount_due") => data.reduce((sum, row) => sum + (row[name] ?? 0), 0);
  return { count: total_count, due: sumOf("amount_due"), amount: sumOf("amount") };
}

const movedBy = ({ type, amount, amount_captured }: Transaction) => (type === "payment" ? amount_captured : amount);

async function transactionsAt(actor: Actor, address: string) {
  const input = listInput(transactionQuery, readAddress(transactionShape(true), address));
  const { data, total_count } = await world.call(listTransactions, actor, input);
  expect(data).toHaveLength(total_count ?? -1);
  const sumOf = (pick: (row: Transaction) => number) => data.reduce((sum, row) => sum + pick(row), 0);
  return { count: total_count, amount: sumOf(movedBy), disputed: sumOf((row) => row.amount_disputed) };
}

async function expectFigures(actor: Actor, days: (typeof limits.overview.days)[number], timezone: string) {
  const figures = await world.call(overviewFigures, actor, { days, timezone });
  for (const { currency, now, before, open, days: moved } of figures.currencies) {
    const waiting = await requestsAt(actor, openAddress(currency));
    expect({ amount: waiting.due, count: waiting.count }).toEqual(open);
    for (const [span, { requested }] of [
      [figures.period, now],
      [figures.before, before],
    ] as const) {
      const { amount, count } = await requestsAt(actor, requestedAddress(currency, span));
      expect({ amount, count }).toEqual(requested);
    }
    for (const [type, name] of [
      ["payment", "received"],
      ["refund", "refunded"],
    ] as const) {
      expect(await transactionsAt(actor, movedAddress(type, currency, figures.period))).toMatchObject(now[name]);
      expect(await transactionsAt(actor, movedAddress(type, currency, figures.before))).toMatchObject(before[name]);
      for (const [i, day] of figures.days.entries()) {
        const amount = moved[i]?.[name] ?? 0;
        if (amount > 0) expect((await transactionsAt(actor, movedAddress(type, currency, day))).amount).toBe(amount);
      }
    }
    for (const [span, { disputed }] of [
      [figures.period, now],
      [figures.before, before],
    ] as const) {
      const found = await transactionsAt(actor, disputedAddress(currency, span));
      expect({ amount: found.disputed, count: found.count }).toEqual(disputed);
    }
    for (const [i, day] of figures.days.entries()) {
      const amount = moved[i]?.disputed ?? 0;
      if (amount > 0) expect((await transactionsAt(actor, disputedAddress(currency, day))).disputed).toBe(amount);
    }
  }
}

const disputesOf = ({ id }: TestOrganization): Promise<number> =>
  world.runtime.db.read.$count(
    transactions,
    and(eq(transactions.organizationId, id), gt(transactions.amountDisputed, 0)),
  );

/** What the figures of all periods leave is what became available of payments, but for refunds under way. */
async function expectReconciled({ id, admin }: TestOrganization) {
  const { currencies } = await world.call(overviewFigures, admin.actor, { days: 90, timezone: "UTC" });
  const posted = await world.runtime.db.read
    .select({
      currency: postings.currency,
      amount:
        sql`sum(case when ${postings.side} = 'credit' then ${postings.amount} else -${postings.amount} end)`.mapWith(
          Number,
        ),
    })
    .from(postings)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, postings.ledgerAccountId))
    .innerJoin(journals, eq(journals.id, postings.journalId))
    .innerJoin(transactions, eq(transactions.id, journals.transactionId))
    .where(
      and(
        eq(ledgerAccounts.organizationId, id),
        inArray(ledgerAccounts.name, ["available", "refund_pending"]),
        inArray(transactions.type, ["payment", "refund"]),
      ),
    )
    .groupBy(postings.currency);
  const left = currencies.flatMap(({ currency, now, before }) => {
    if (now.received.count + before.received.count === 0) return [];
    const of = (name: "received" | "refunded" | "disputed") => now[name].amount + before[name].amount;
    return [{ currency, amount: of("received") - of("refunded") - of("disputed") }];
  });
  const byCurrency = <T extends { currency: string }>(rows: T[]) =>
    rows.sort((a, b) => (a.currency < b.currency ? -1 : 1));
  expect(byCurrency(left)).toEqual(byCurrency(posted));
}

/** How many are overdue. */
async function expectAttention(actor: Actor, isAdmin: boolean): Promise<number> {
  const found = await world.call(overviewAttention, actor, {});
  const ends = found.ends_before;
  expect((await requestsAt(actor, attentionAddress.lapsing(ends))).count).toBe(found.lapsing);
  expect((await requestsAt(actor, attentionAddress.expiring(ends))).count).toBe(found.expiring);
  expect((await requestsAt(actor, attentionAddress.overdue())).count).toBe(found.overdue);
  expect((await requestsAt(actor, attentionAddress.overLimit())).count).toBe(found.over_limit);
  expect((await requestsAt(actor, attentionAddress.declines())).count).toBe(found.many_declines);
  expect((await requestsAt(actor, attentionAddress.linkRequests())).count).toBe(found.link_requests);
  expect((await requestsAt(actor, attentionAddress.remindersWaiting())).count).toBe(found.reminders_waiting);
  expect((await transactionsAt(actor, attentionAddress.unanswered())).count).toBe(found.unanswered);
  expect((await transactionsAt(actor, attentionAddress.disputes(ends))).count).toBe(found.open_disputes);
  const owing = readAddress(listOf("/dashboard/accounts", ["in_debt"]), attentionAddress.inDebt());
  const list = isAdmin ? listAccounts : listOwnAccounts;
  const accountsInDebt = await world.call(list, actor, listInput(listAccounts.input, owing));
  expect(accountsInDebt.total_count).toBe(found.accounts_in_debt);
  if (!isAdmin) return found.overdue;
  const orphaned = readAddress(listOf("/dashboard/accounts", ["orphaned"]), attentionAddress.orphaned(ends));
  const lacking = readAddress(
    listOf("/dashboard/users", ["status", "role", "mfa_enabled"]),
    attentionAddress.withoutFactor(ends),
  );
  const accountsFound = await world.call(listAccounts, actor, listInput(listAccounts.input, orphaned));
  expect(accountsFound.total_count).toBe(found.orphaned_accounts);
  const usersFound = await world.call(listUsers, actor, listInput(listUsers.input, lacking));
  expect(usersFound.total_count).toBe(found.admins_without_factor);
  return found.overdue;
}

async function subscriptionsAt(actor: Actor, address: string): Promise<string[]> {
  const input = listInput(subscriptionQuery, readAddress(subscriptionShape, address));
  const { data, total_count } = await world.call(listSubscriptions, actor, input);
  expect(data).toHaveLength(total_count ?? -1);
  return data.map(({ subscription_id: id }) => id).sort();
}

it("counts the subscriptions that are past due, or have missed periods, as its lists do", async () => {
  const { admin, member, other } = await world.organization();
  const { actor } = member;
  const terms = { subscription: { interval: "day", interval_count: 1 } } as const;
  const declined = card("4000000000000341");
  const pastDue = [await subscribe(world, actor, terms, declined), await subscribe(world, actor, terms, declined)];
  await subscribe(world, actor, { subscription: { interval: "month", interval_count: 1 } });
  await runJobs(world);
  world.clock.advance(dayMs + hourMs);
  const missed = [await subscribe(world, actor, terms), await subscribe(world, actor, terms)];
  await runJobs(world);
  world.clock.advance(3.5 * dayMs);
  await runJobs(world);

  const expectListed = async (late: { id: string }[], without: { id: string }[]) => {
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
    for (const reader of [admin.actor, actor]) {
      const found = await world.call(overviewAttention, reader, {});
      expect(found).toMatchObject({ past_due: late.length, missed: without.length });
      expect(await subscriptionsAt(reader, attentionAddress.pastDue())).toEqual(idsOf(late));
      expect(await subscriptionsAt(reader, attentionAddress.missed())).toEqual(idsOf(without));
    }
    expect(await world.call(overviewAttention, other.actor, {})).toMatchObject({ past_due: 0, missed: 0 });
    expect(await subscriptionsAt(other.actor, attentionAddress.missed())).toEqual([]);
  };
  await expectListed(pastDue, missed);
  expect(await subscriptionsAt(actor, "/dashboard/subscriptions?missed=false")).toHaveLength(3);

  // One customer pays the missed periods, the merchant cancels those of the other.
  const [first, second] = missed;
  for (const { paymentId, isMissed } of await cyclesOf(world, first?.id ?? "")) {
    if (isMissed) await payWith(world, tokenOf(await paymentUrl(actor, paymentId)), goodCard);
  }
  await expectListed(pastDue, missed.slice(1));
  const open = (await cyclesOf(world, second?.id ?? "")).filter(({ isMissed }) => isMissed);
  expect(open).toHaveLength(2);
  for (const { paymentId } of open) await cancelRequest(world, actor, paymentId);
  await expectListed(pastDue, []);
});

it("counts the subscriptions that wait until somebody resumes them, as its list does", async () => {
  const { admin, member, other } = await world.organization();
  const terms = { subscription: { interval: "month", interval_count: 1 } } as const;
  const waits = await subscribe(world, member.actor, terms);
  await subscribe(world, member.actor, terms);
  const { payment_id } = waits.payment;
  const counted = async (reader: Actor) => (await world.call(overviewAttention, reader, {})).to_resume;
  expect(await counted(admin.actor)).toBe(0);
  for (const event of ["dispute", "dispute_lost"] as const) {
    await world.call(simulateEvent, admin.actor, { payment_id, event });
  }
  for (const reader of [admin.actor, member.actor]) {
    expect(await counted(reader)).toBe(1);
    expect(await subscriptionsAt(reader, attentionAddress.toResume())).toEqual([waits.id]);
  }
  expect(await counted(other.actor)).toBe(0);
  await world.call(resumeSubscription, admin.actor, { subscription_id: waits.id });
  expect(await counted(admin.actor)).toBe(0);
});

const paymentUrl = async (actor: Actor, payment_id: string) =>
  (await world.call(getPayment, actor, { payment_id })).payment_url;

it("equals the total of its list", { timeout: 240_000 }, async () => {
  const history = fc.array(anyAct, { minLength: 6, maxLength: 18, size: "max" });
  const period = fc.constantFrom(...limits.overview.days);
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati");
  let [seen, seenDisputes, seenOverdue] = [0, 0, 0];
  const property = fc.asyncProperty(
    disputed,
    overdue,
    history,
    period,
    zone,
    async (first, second, rest, days, timezone) => {
      world.clock.advance(hourMs);
      const organization = await world.organization();
      const made: Made[] = [];
      for (const act of [...first, ...second, ...rest]) {
        await run(act, organization, made).catch((error) => {
          if (!isRefusal(error)) throw error;
        });
        world.clock.advance(1000);
      }
      for (const [{ actor }, isAdmin] of [
        [organization.admin, true],
        [organization.member, false],
      ] as const) {
        await expectFigures(actor, days, timezone);
        seenOverdue += await expectAttention(actor, isAdmin);
      }
      await expectReconciled(organization);
      seenDisputes += await disputesOf(organization);
      seen += made.length;
    },
  );
  await fc.assert(property, { numRuns: 20 });
  expect(seen).toBeGreaterThan(30);
  expect(seenDisputes).toBeGreaterThan(5);
  expect(seenOverdue).toBeGreaterThan(5);
});
