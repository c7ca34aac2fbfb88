// A load of card payments, captures, cancellations and refunds that remembers every effect its callers saw confirmed.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiReply, createApi, signIn } from "./api";
import { goodCard, payByForm, sendForm } from "./payer";

const paymentAmount = 1_000;
const pauseMs = 200;
const callWithinMs = 20_000;
const challengedCard = { ...goodCard, card_number: "4000002500003155" };

/**
 * How long after the last fault every outcome is known. The look-up is due 30 s after the call; the 15 s of a killed
 * worker's lease pass meanwhile, and 5 s are left for the look-up itself.
 */
export const resolvedAfterMs = 35_000;

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
  /** Calls that got no answer. {@link PaymentLoad.settle} repeats them. */
  unanswered: Call[];
};

/** Clients that create payment requests, pay them through the pay page, and capture, cancel or refund the payments. */
export class PaymentLoad {
  private readonly lives: Life[] = [];
  /** Answers that must never occur. */
  readonly faults: string[] = [];
  acknowledged = 0;
  /** Requests whose outcome the caller never learned. */
  unknown = 0;
  private readonly api;
  private token = "";
  private isOver = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    url: string,
    private readonly random: () => number = Math.random,
  ) {
    this.api = createApi(url);
  }

  /** Signs in and starts this many clients. */
  async start(clients: number): Promise<void> {
    this.token = (await signIn(this.api)).access_token;
    this.running = Promise.all(Array.from({ length: clients }, () => this.client()));
  }

  /** Ends the load. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  /** Repeats each unanswered call with its key: by now it has one definite response. */
  async settle(): Promise<void> {
    for (const life of this.lives) {
      for (const call of life.unanswered.splice(0)) await this.callAndNote(life, call);
      if (life.unanswered.length > 0) this.faults.push(`${life.id}: a repeated call has no answer`);
    }
  }

  /** The payment requests on which an acknowledged effect is missing, or exists twice. */
  async missing(): Promise<string[]> {
    const lost: string[] = [];
    for (const life of this.lives) {
      const found = await this.find(life.id);
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

  private async client(): Promise<void> {
    while (!this.isOver) await this.live().catch(() => sleep(pauseMs));
  }

  private async live(): Promise<void> {
    const kind = this.random();
    const capture_method = kind < 0.45 ? "manual" : "automatic";
    const body = { type: "product", amount: paymentAmount, currency: "EUR", capture_method };
    const made = await this.ask<PaymentBody>({ path: "/v1/payments", key: randomUUID(), body });
    if (made?.status !== 200) return void (await sleep(pauseMs));
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
    if (life.seen === "paid" && this.random() < 0.7) await this.refund(life);
  }

  /** Sends the form, and the confirmation if the payer's bank requires one. */
  private async pay(life: Life, url: string, isChallenged: boolean): Promise<void> {
    const paid = await payByForm(url, isChallenged ? challengedCard : goodCard).catch(() => null);
    if (paid === null) this.unknown++;
    const next = new URL(paid?.headers.get("Location") ?? "", url);
    if (paid?.status !== 303 || !next.pathname.startsWith("/sandbox/")) return;
    const answer = (["complete", "complete", "fail", "leave"] as const)[Math.floor(this.random() * 4)] ?? "complete";
    const fields: Record<string, string> = answer === "leave" ? { act: "leave" } : { answer };
    const reply = await sendForm(answer === "leave" ? url : next.href, fields).catch(() => null);
    if (reply?.status !== 303) return;
    life.answered = answer;
    this.acknowledged++;
  }

  private async captureOrCancel(life: Life): Promise<void> {
    if (this.random() < 0.3) {
      return this.callAndNote(life, { path: `/v1/payments/${life.id}/cancel`, key: randomUUID(), body: {} });
    }
    const amount = this.random() < 0.5 ? paymentAmount : 1 + Math.floor(this.random() * (paymentAmount - 1));
    await this.callAndNote(life, { path: `/v1/payments/${life.id}/capture`, key: randomUUID(), body: { amount } });
  }

  private async refund(life: Life): Promise<void> {
    for (let part = 0; part < 3; part++) {
      const body = { amount: 1 + Math.floor(this.random() * 300) };
      await this.callAndNote(life, { path: `/v1/payments/${life.id}/refund`, key: randomUUID(), body });
    }
  }

  /** Makes the call and records what was acknowledged, or that nothing was. */
  private async callAndNote(life: Life, call: Call): Promise<void> {
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

  /** Calls with an idempotency key: the definite response, or null if the outcome is unknown. */
  private async ask<T>({ path, key, body }: Call): Promise<ApiReply<T> | null> {
    const reply = await this.api<T>("POST", path, {
      token: this.token,
      body,
      headers: { "Idempotency-Key": key },
      signal: AbortSignal.timeout(callWithinMs),
    }).catch(() => null);
    if (reply?.status === 200) this.acknowledged++;
    if (reply && ![200, 400, 409, 503].includes(reply.status))
      this.faults.push(`${path}: ${reply.status} ${reply.text}`);
    return reply && (reply.status === 200 || reply.status === 400) ? reply : null;
  }

  private async find(id: string): Promise<PaymentBody | null> {
    const reply = await this.api<PaymentBody>("GET", `/v1/payments/${id}`, { token: this.token }).catch(() => null);
    return reply?.status === 200 ? reply.body : null;
  }
}
