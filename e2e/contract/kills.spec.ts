// Card payments while the server is killed repeatedly: no acknowledged effect is lost, and every outcome becomes known.
import { setTimeout as sleep } from "node:timers/promises";
import { type Api, type ApiReply, createApi, signIn } from "../api";
import { expect, test } from "../fixtures";
import { goodCard, payByForm, sendForm } from "../payer";
import { startServer, type TestServer } from "../server";
import { runProgram, unique } from "./people";

const clientCount = 6;
const killCount = 3;
/** Number of acknowledged effects between two kills. */
const answersBetween = 50;
const paymentAmount = 1_000;
/** Long enough for every look-up: the first comes after 30 s, and a killed worker's lease lasts 15 s. */
const resolvedAfterMs = 35_000;
const challengedCard = { ...goodCard, card_number: "4000002500003155" };

type PaymentBody = {
  payment_id: string;
  payment_url: string;
  status: string;
  amount_paid: number;
  amount_refunded: number;
};
type Call = { path: string; key: string; body: Record<string, unknown> };

/** One payment request, and the effects that were acknowledged to its callers. */
type Life = {
  id: string;
  /** Effects that the payer or a caller saw confirmed. */
  seen?: "paid" | "authorized";
  captured?: number;
  isCanceled?: true;
  refunded: number;
  answered?: "complete" | "fail" | "leave";
  /** Calls that got no answer. The test repeats them at the end. */
  unanswered: Call[];
};

class Load {
  readonly lives: Life[] = [];
  readonly faults: string[] = [];
  acknowledged = 0;
  unknown = 0;
  isOver = false;

  constructor(
    private readonly server: TestServer,
    private readonly api: Api,
    private readonly token: string,
  ) {}

  /** Calls with an idempotency key: the definite response, or null if the outcome is unknown. */
  async ask<T>({ path, key, body }: Call): Promise<ApiReply<T> | null> {
    const reply = await this.api<T>("POST", path, {
      token: this.token,
      body,
      headers: { "Idempotency-Key": key },
    }).catch(() => null);
    if (reply?.status === 200) this.acknowledged++;
    if (reply && ![200, 400, 409, 503].includes(reply.status))
      this.faults.push(`${path}: ${reply.status} ${reply.text}`);
    return reply && (reply.status === 200 || reply.status === 400) ? reply : null;
  }

  find = async (id: string): Promise<PaymentBody | null> => {
    const reply = await this.api<PaymentBody>("GET", `/v1/payments/${id}`, { token: this.token }).catch(() => null);
    return reply?.status === 200 ? reply.body : null;
  };

  async client(): Promise<void> {
    while (!this.isOver) await this.live().catch(() => sleep(200));
  }

  private async live(): Promise<void> {
    const kind = Math.random();
    const capture_method = kind < 0.45 ? "manual" : "automatic";
    const body = { type: "product", amount: paymentAmount, currency: "EUR", capture_method };
    const made = await this.ask<PaymentBody>({ path: "/v1/payments", key: unique(), body });
    if (made?.status !== 200) return void (await sleep(200));
    const life: Life = { id: made.body.payment_id, refunded: 0, unanswered: [] };
    this.lives.push(life);
    const isChallenged = kind > 0.75 || kind < 0.1;
    await this.pay(life, made.body.payment_url, isChallenged);
    const found = await this.find(life.id);
    if (found?.status === "paid" || found?.status === "authorized") {
      life.seen = found.status;
      this.acknowledged++;
    }
    if (life.seen === "authorized") await this.captureOrCancel(life);
    if (life.seen === "paid" && Math.random() < 0.7) await this.refund(life);
  }

  /** Sends the form, and the confirmation if the payer's bank requires one. */
  private async pay(life: Life, url: string, isChallenged: boolean): Promise<void> {
    const paid = await payByForm(url, isChallenged ? challengedCard : goodCard).catch(() => null);
    if (paid === null) this.unknown++;
    const next = new URL(paid?.headers.get("Location") ?? "", url);
    if (paid?.status !== 303 || !next.pathname.startsWith("/sandbox/")) return;
    const answer = (["complete", "complete", "fail", "leave"] as const)[Math.floor(Math.random() * 4)] ?? "complete";
    const fields: Record<string, string> = answer === "leave" ? { act: "leave" } : { answer };
    const reply = await sendForm(answer === "leave" ? url : next.href, fields).catch(() => null);
    if (reply?.status !== 303) return;
    life.answered = answer;
    this.acknowledged++;
  }

  private async captureOrCancel(life: Life): Promise<void> {
    if (Math.random() < 0.3) {
      return this.callAndNote(life, { path: `/v1/payments/${life.id}/cancel`, key: unique(), body: {} });
    }
    const amount = Math.random() < 0.5 ? paymentAmount : 1 + Math.floor(Math.random() * (paymentAmount - 1));
    await this.callAndNote(life, { path: `/v1/payments/${life.id}/capture`, key: unique(), body: { amount } });
  }

  private async refund(life: Life): Promise<void> {
    for (let part = 0; part < 3; part++) {
      const body = { amount: 1 + Math.floor(Math.random() * 300) };
      await this.callAndNote(life, { path: `/v1/payments/${life.id}/refund`, key: unique(), body });
    }
  }

  /** Makes the call and records what was acknowledged, or that nothing was. */
  async callAndNote(life: Life, call: Call): Promise<void> {
    const reply = await this.ask<{ amount: number }>(call);
    if (reply === null) {
      this.unknown++;
      return void life.unanswered.push(call);
    }
    if (reply.status !== 200) return;
    if (call.path.endsWith("/cancel")) life.isCanceled = true;
    else if (call.path.endsWith("/capture")) life.captured = Number(call.body.amount);
    else life.refunded += reply.body.amount;
  }

  async killSometimes(): Promise<void> {
    for (let kill = 0; kill < killCount; kill++) {
      const next = this.acknowledged + answersBetween;
      while (this.acknowledged < next) await sleep(10);
      await sleep(Math.random() * 200);
      await this.server.kill("SIGKILL");
      await this.server.restart();
    }
    this.isOver = true;
  }
}

/** The acknowledged effects that are missing. */
async function missingOf(load: Load): Promise<string[]> {
  const lost: string[] = [];
  for (const life of load.lives) {
    const found = await load.find(life.id);
    const { id, seen, captured, isCanceled, refunded, answered } = life;
    const isKept =
      found !== null &&
      found.amount_refunded === refunded &&
      (captured === undefined || found.amount_paid === captured) &&
      (!isCanceled || (found.status === "canceled" && found.amount_paid === 0)) &&
      (seen !== "paid" || found.amount_paid === paymentAmount) &&
      (seen !== "authorized" || captured !== undefined || isCanceled || found.status === "authorized") &&
      (answered !== "complete" || !["pending", "requires_action", "processing"].includes(found.status)) &&
      (answered !== "fail" || found.amount_paid === 0);
    if (!isKept) lost.push(`${id}: ${JSON.stringify({ found, seen, captured, isCanceled, refunded, answered })}`);
  }
  return lost;
}

test("three kills lose no acknowledged payment, capture, cancellation or refund", async ({ engine }, testInfo) => {
  test.setTimeout(240_000);
  const server = await startServer({ engine });
  try {
    const api = createApi(server.url);
    const { access_token: token } = await signIn(api);
    const load = new Load(server, api, token);
    await Promise.all([load.killSometimes(), ...Array.from({ length: clientCount }, () => load.client())]);
    await sleep(resolvedAfterMs);
    // Repeat each unanswered call with its key: by now it has one definite response.
    for (const life of load.lives) {
      for (const call of life.unanswered.splice(0)) await load.callAndNote(life, call);
      expect(life.unanswered).toEqual([]);
    }
    await sleep(1_000);
    expect(await missingOf(load)).toEqual([]);
    expect(load.faults).toEqual([]);
    await server.kill("SIGTERM");
    const found = JSON.parse((await runProgram(server, "e2e/contract/consistency.ts")).trim().split("\n").at(-1) ?? "");
    testInfo.annotations.push({
      type: "counts",
      description: JSON.stringify({
        kills: killCount,
        acknowledged: load.acknowledged,
        unknown: load.unknown,
        ...found,
      }),
    });
    expect(found).toMatchObject({ inDoubt: 0, dead: 0, wrong: [] });
    // The run exercised enough to be meaningful.
    expect(load.acknowledged).toBeGreaterThan(killCount * answersBetween);
    expect(load.unknown).toBeGreaterThan(0);
    expect(await runProgram(server, "server/domains/ledger/verify-cli.ts")).toContain("The ledger is sound");
  } finally {
    await server.stop();
  }
});
