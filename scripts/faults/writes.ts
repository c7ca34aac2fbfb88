// A load of writes whose every outcome is remembered: each has a key, is repeated until answered, and counts once.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Api, createApi, signIn } from "@/e2e/api";
import { transactionsByDescription } from "./database";
import type { Found } from "./fault";

/** Answers that leave the outcome open: the caller repeats the request with its key. */
const open = [409, 429, 503];
const pauseMs = 50;
/**
 * A client's longest pause between two writes. On a fast machine the database would otherwise grow so much that its
 * checks, not the faults, would take the time.
 */
const betweenMs = 40;
const callWithinMs = 20_000;

interface Write {
  /** Its Idempotency-Key, and its description in the database. */
  key: string;
  amount: number;
  /** What the first answer named. */
  transactionId: string | null;
  /** When it was acknowledged, in epoch milliseconds. */
  at: number;
}

/** Clients that record payments received outside the pay page: one transaction and one journal each. */
export class Writes {
  private readonly all: Write[] = [];
  private readonly api: Api;
  private token = "";
  private isOver = false;
  private running: Promise<unknown> = Promise.resolve();

  /** Notes in `found` what it finds. */
  constructor(
    url: string,
    private readonly found: Found,
    private readonly random: () => number,
  ) {
    this.api = createApi(url);
  }

  /** Signs in and starts writing with this many clients. */
  async start(clients: number): Promise<void> {
    this.token = (await signIn(this.api)).access_token;
    this.resume(clients);
  }

  resume(clients: number): void {
    this.isOver = false;
    this.running = Promise.all(Array.from({ length: clients }, () => this.client()));
  }

  /** Ends the load. Writes without an answer stay open until {@link settle}. */
  async pause(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  /** Repeats every open write until it is answered. Call when nothing fails any more. */
  async settle(): Promise<void> {
    for (const write of this.all) {
      for (let i = 0; write.transactionId === null && i < 200; i++)
        if (!(await this.attempt(write))) await sleep(pauseMs);
      if (write.transactionId === null) this.found.wrong.push(`${write.key} has no answer`);
    }
  }

  /** Milliseconds until a new write is acknowledged. */
  async untilWritten(): Promise<number> {
    const startedAt = performance.now();
    const write = this.newWrite();
    while (!(await this.attempt(write))) {
      if (performance.now() - startedAt > 60_000) {
        this.found.wrong.push("no write was acknowledged within a minute after the fault");
        break;
      }
      await sleep(pauseMs / 5);
    }
    return performance.now() - startedAt;
  }

  /** Compares what was acknowledged, until an instant if one is given (epoch ms), with what the database has. */
  async check(databaseUrl: string, until = Number.POSITIVE_INFINITY): Promise<void> {
    const existing = await transactionsByDescription(databaseUrl);
    for (const { key, transactionId, at } of this.all) {
      const ids = existing.get(key) ?? [];
      if (transactionId !== null && at < until && !ids.includes(transactionId)) this.found.lost.push(key);
      if (ids.length > 1) this.found.doubled.push(key);
    }
  }

  private newWrite(): Write {
    const write = { key: randomUUID(), amount: 1 + Math.floor(this.random() * 10_000), transactionId: null, at: 0 };
    this.all.push(write);
    return write;
  }

  private async client(): Promise<void> {
    while (!this.isOver) {
      const write = this.newWrite();
      while (!this.isOver && !(await this.attempt(write))) await sleep(pauseMs);
      // Some are repeated although they were answered, as by a client that lost the answer.
      if (!this.isOver && this.random() < 0.1) await this.attempt(write);
      await sleep(this.random() * betweenMs);
    }
  }

  /** Whether the write is acknowledged. */
  private async attempt(write: Write): Promise<boolean> {
    const { key, amount } = write;
    const reply = await this.api<{ transaction_id: string }>("POST", "/v1/transactions", {
      token: this.token,
      body: { type: "payment", amount, currency: "EUR", description: key },
      headers: { "Idempotency-Key": key },
      signal: AbortSignal.timeout(callWithinMs),
    }).catch(() => null);
    if (reply === null || open.includes(reply.status)) return false;
    const id = reply.body?.transaction_id;
    if (reply.status !== 200 || !id) {
      this.found.wrong.push(`${key}: ${reply.status} ${reply.text}`);
      return false;
    }
    if (write.transactionId !== null && write.transactionId !== id)
      this.found.wrong.push(`${key} was answered twice, differently`);
    if (write.transactionId === null) {
      write.transactionId = id;
      write.at = Date.now();
      this.found.acknowledged++;
    }
    return true;
  }
}
