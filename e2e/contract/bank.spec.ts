// Many clients move money while the server is killed twice: no acknowledged write is lost, no money is created.
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "playwright/test";
import { type Api, type ApiError, type ApiReply, createApi, signIn } from "../api";
import { test } from "../fixtures";
import { startServer, type TestServer } from "../server";
import { newMember, type Person, receive, runProgram, succeeded, type TransactionBody, unique } from "./people";

const accountCount = 20;
const clientCount = 32;
const paymentAmount = 10_000;
const paymentsEach = 3;
/** How many orders to execute, and after how many of them the server is killed. */
const orderCount = 510;
const killsAfter = [170, 340];
const retryMs = 150;
const giveUpMs = 45_000;

type Order = { key: string; by: Person; amount: number; to?: Person; parent?: string };
type AccountBody = { account_id: string; balances: { available: number; held: number; pending: number }[] };

/** What the clients know for certain, and what the reader observed. */
class Tally {
  readonly done: Order[] = [];
  /** Sums of refunds: the acknowledged ones, and those that may have happened. */
  refunded = 0;
  mayBeRefunded = 0;
  reads = 0;
  refused = 0;
  /** Requests whose outcome was unknown until a retry. */
  resolved = 0;
  readonly faults: string[] = [];

  balanceOf(person: Person): number {
    return this.done.reduce((balance, { by, to, amount }) => {
      if (by === person) return balance - amount;
      return to === person ? balance + amount : balance;
    }, paymentAmount * paymentsEach);
  }
}

const bodyOf = ({ amount, to, parent, key }: Order) => ({
  amount,
  currency: "EUR",
  reference: key,
  ...(to
    ? { type: "transfer", destination_account_id: to.accountId }
    : { type: "refund", parent_transaction_id: parent }),
});

/** Retries an order with its idempotency key until its outcome is known. */
async function retryUntilKnown(api: Api, order: Order, tally: Tally): Promise<ApiReply<TransactionBody & ApiError>> {
  const deadline = Date.now() + giveUpMs;
  for (let attempt = 0; Date.now() < deadline; attempt++) {
    const reply = await api<TransactionBody & ApiError>("POST", "/v1/transactions", {
      token: order.by.token,
      body: bodyOf(order),
      headers: { "Idempotency-Key": order.key },
    }).catch(() => null);
    const isKnown = reply !== null && (reply.status === 200 || reply.status === 400);
    if (isKnown) {
      if (attempt > 0) tally.resolved++;
      return reply;
    }
    if (reply !== null && ![409, 503].includes(reply.status)) tally.faults.push(`${reply.status}: ${reply.text}`);
    await sleep(retryMs);
  }
  throw new Error(`The outcome of ${order.key} stayed unknown.`);
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;

function newOrder(people: readonly Person[], payments: ReadonlyMap<Person, string[]>): Order {
  const by = pick(people);
  const key = unique();
  if (Math.random() < 0.3)
    return { key, by, amount: 1 + Math.floor(Math.random() * 900), parent: pick(payments.get(by) ?? []) };
  const to = pick(people.filter((person) => person !== by));
  // Sometimes nearly the whole balance, so that balances come close to zero.
  return { key, by, to, amount: 1 + Math.floor(Math.random() ** 3 * 30_000) };
}

async function client(api: Api, people: Person[], payments: Map<Person, string[]>, tally: Tally): Promise<void> {
  while (tally.done.length < orderCount) {
    const order = newOrder(people, payments);
    const isRefund = order.to === undefined;
    if (isRefund) tally.mayBeRefunded += order.amount;
    const reply = await retryUntilKnown(api, order, tally);
    if (reply.status === 200) {
      tally.done.push(order);
      if (isRefund) tally.refunded += order.amount;
      if (Math.random() < 0.1) {
        const again = await retryUntilKnown(api, order, tally);
        if (again.text !== reply.text) tally.faults.push(`${order.key} got two answers: ${reply.text} ${again.text}`);
      }
      continue;
    }
    if (isRefund) tally.mayBeRefunded -= order.amount;
    tally.refused++;
    const code = reply.body.error_code;
    if (!["insufficient_balance", "refund_exceeds_captured"].includes(code)) tally.faults.push(reply.text);
  }
}

const accountsOf = (api: Api, token: string) =>
  api<{ data: AccountBody[] }>("GET", "/v1/auth/accounts?limit=100&account_type=individual", { token });

const sumOf = (accounts: AccountBody[]): number =>
  accounts.flatMap(({ balances }) => balances).reduce((sum, { available, held }) => sum + available + held, 0);

/** Reads all balances in a loop: their sum is always the money received less the money refunded. */
async function reader(api: Api, token: string, isOver: () => boolean, tally: Tally): Promise<void> {
  const received = accountCount * paymentsEach * paymentAmount;
  while (!isOver()) {
    const most = received - tally.refunded;
    const reply = await accountsOf(api, token).catch(() => null);
    const least = received - tally.mayBeRefunded;
    if (reply?.status !== 200) {
      await sleep(retryMs);
      continue;
    }
    tally.reads++;
    const total = sumOf(reply.body.data);
    if (total > most || total < least) tally.faults.push(`The sum was ${total}, not from ${least} to ${most}.`);
    for (const { account_id, balances } of reply.body.data) {
      const isSound = balances.every(({ available, held, pending }) => available >= 0 && held >= 0 && pending >= 0);
      if (!isSound) tally.faults.push(`${account_id} has ${JSON.stringify(balances)}`);
    }
    await sleep(5);
  }
}

async function killer(server: TestServer, tally: Tally): Promise<void> {
  for (const count of killsAfter) {
    while (tally.done.length < count) await sleep(5);
    await server.kill("SIGKILL");
    await server.restart();
  }
}

async function openAccounts(api: Api): Promise<{ people: Person[]; payments: Map<Person, string[]> }> {
  const people: Person[] = [];
  const payments = new Map<Person, string[]>();
  for (let i = 0; i < accountCount; i++) {
    const person = await newMember(api);
    const ids: string[] = [];
    for (let j = 0; j < paymentsEach; j++) ids.push((await receive(api, person, paymentAmount)).transaction_id);
    people.push(person);
    payments.set(person, ids);
  }
  return { people, payments };
}

test("32 clients, 20 accounts, two kills", async ({ engine }, testInfo) => {
  test.setTimeout(150_000);
  const server = await startServer({ engine });
  try {
    const api = createApi(server.url);
    const { access_token: admin } = await signIn(api);
    const { people, payments } = await openAccounts(api);
    const tally = new Tally();
    let isOver = false;
    const reading = reader(api, admin, () => isOver, tally);
    const killing = killer(server, tally);
    const clients = Array.from({ length: clientCount }, () => client(api, people, payments, tally));
    await Promise.all([...clients, killing]).finally(() => {
      isOver = true;
    });
    await reading;

    const { done, reads, refused, resolved } = tally;
    testInfo.annotations.push({
      type: "counts",
      description: JSON.stringify({ done: done.length, reads, refused, resolved }),
    });
    expect(tally.faults).toEqual([]);
    // The run exercised enough to be meaningful, including refusals and outcomes that a kill left unknown.
    expect(reads).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(0);
    expect(resolved).toBeGreaterThan(0);
    await expectBalances(api, admin, people, tally);
    await expectEffects(api, admin, tally);
    expect(await runProgram(server, "server/domains/ledger/verify-cli.ts")).toContain("The ledger is sound");
  } finally {
    await server.stop();
  }
});

/** Every balance is exactly what the acknowledged orders add up to. */
async function expectBalances(api: Api, token: string, people: Person[], tally: Tally): Promise<void> {
  const accounts = new Map(succeeded(await accountsOf(api, token)).data.map((body) => [body.account_id, body]));
  for (const person of people) {
    const [balance] = accounts.get(person.accountId)?.balances ?? [];
    expect(balance).toMatchObject({ available: tally.balanceOf(person), held: 0, pending: 0 });
  }
}

/** Every idempotency key had one effect, and no effect lacks a key. */
async function expectEffects(api: Api, token: string, tally: Tally): Promise<void> {
  for (const [type, orders] of [
    ["transfer", tally.done.filter((order) => order.to)],
    ["refund", tally.done.filter((order) => !order.to)],
  ] as const) {
    const path = `/v1/transactions?type=${type}&limit=1&include_total=true`;
    const page = succeeded(await api<{ total_count: number }>("GET", path, { token }));
    expect(page.total_count).toBe(orders.length);
    for (const order of [pick(orders), pick(orders), pick(orders)]) {
      const found = await api<{ data: unknown[] }>("GET", `/v1/transactions?reference=${order.key}`, { token });
      expect(succeeded(found).data).toHaveLength(1);
    }
  }
}
