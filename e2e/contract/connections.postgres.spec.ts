// Ends every PostgreSQL connection under load: the process keeps running, and each acknowledged write happened once.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Api, createApi, signIn } from "../api";
import { expect, test } from "../fixtures";
import { startServer } from "../server";
import { newMember, type Person, receive, runProgram, succeeded, type TransactionBody, unique } from "./people";

const peopleCount = 6;
const clientCount = 16;
const receivedByEach = 1_000_000;
/** How often all connections are ended, and how many transfers run in between. */
const endingCount = 6;
const transfersBetween = 40;
const giveUpMs = 45_000;

type Page = { data: unknown[]; total_count: number };

/** What the clients know for certain. */
class Load {
  readonly done: { key: string; from: Person; to: Person; amount: number }[] = [];
  readonly faults: string[] = [];
  /** 503 responses; each was followed by the same request with the same key. */
  unavailable = 0;
  isOver = false;

  constructor(
    private readonly api: Api,
    private readonly people: Person[],
  ) {}

  async client(): Promise<void> {
    while (!this.isOver) {
      const [from, to] = [...this.people].sort(() => Math.random() - 0.5);
      if (from && to) await this.transfer(from, to, 1 + Math.floor(Math.random() * 100));
    }
  }

  /** Sends a transfer until it is acknowledged. */
  private async transfer(from: Person, to: Person, amount: number): Promise<void> {
    const key = unique();
    const body = { type: "transfer", destination_account_id: to.accountId, amount, currency: "EUR", reference: key };
    for (const deadline = Date.now() + giveUpMs; Date.now() < deadline; await sleep(100)) {
      const call = { token: from.token, body, headers: { "Idempotency-Key": key } };
      const { status, text } = await this.api<TransactionBody>("POST", "/v1/transactions", call);
      if (status === 200) return void this.done.push({ key, from, to, amount });
      if (status === 503) this.unavailable++;
      else if (status !== 409) this.faults.push(`${status}: ${text}`);
    }
    this.faults.push(`${key} was never acknowledged`);
  }

  balanceOf(person: Person): number {
    const change = this.done.reduce((sum, { from, to, amount }) => {
      if (from === person) return sum - amount;
      return to === person ? sum + amount : sum;
    }, 0);
    return receivedByEach + change;
  }
}

/** Ends every connection to the database except its own; returns how many. */
async function endConnections(operator: pg.Client): Promise<number> {
  const others = "datname = current_database() and pid <> pg_backend_pid()";
  const { rowCount } = await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
  return rowCount ?? 0;
}

test("ending connections under load stops no process, and loses and duplicates no write", async ({
  engine,
}, testInfo) => {
  test.setTimeout(150_000);
  const server = await startServer({ engine });
  const operator = new pg.Client({ connectionString: server.databaseUrl });
  try {
    await operator.connect();
    const api = createApi(server.url);
    const { access_token: token } = await signIn(api);
    const people: Person[] = [];
    for (let i = 0; i < peopleCount; i++) people.push(await newMember(api));
    for (const person of people) await receive(api, person, receivedByEach);
    const pid = server.pid();

    const load = new Load(api, people);
    const clients = Array.from({ length: clientCount }, () => load.client());
    let ended = 0;
    for (let ending = 1; ending <= endingCount; ending++) {
      const goal = ending * transfersBetween;
      await expect.poll(() => load.done.length, { timeout: 60_000, intervals: [5] }).toBeGreaterThan(goal);
      ended += await endConnections(operator);
    }
    load.isOver = true;
    await Promise.all(clients);

    const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
    await expect.poll(readiness, { timeout: 15_000 }).toBe(200);
    expect(server.pid()).toBe(pid);
    expect(server.logs()).not.toContain("uncaught exception");
    expect(load.faults).toEqual([]);
    // The run exercised enough to be meaningful.
    expect(ended).toBeGreaterThan(endingCount);
    expect(load.unavailable).toBeGreaterThan(0);

    for (const person of people) {
      const path = `/v1/accounts/${person.accountId}`;
      const account = succeeded(await api<{ balances: unknown[] }>("GET", path, { token }));
      expect(account.balances).toMatchObject([{ available: load.balanceOf(person) }]);
    }
    const path = "/v1/transactions?type=transfer&limit=1&include_total=true";
    expect(succeeded(await api<Page>("GET", path, { token })).total_count).toBe(load.done.length);
    expect(await runProgram(server, "server/domains/ledger/verify-cli.ts")).toContain("The ledger is sound");
    const counts = { done: load.done.length, unavailable: load.unavailable, ended };
    testInfo.annotations.push({ type: "counts", description: JSON.stringify(counts) });
  } finally {
    await operator.end();
    await server.stop();
  }
});
