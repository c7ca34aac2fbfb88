// Callers that keep creating, paying, refunding and reading payment requests, and remember what was acknowledged.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** The effects on a payment request that were acknowledged to its caller, in minor units. */
interface Acknowledged {
  id: string;
  paid: number;
  refunded: number;
}

export interface Traffic {
  /** Payment requests whose life a caller has gone through. */
  readonly acknowledged: readonly Acknowledged[];
  /** How often a request was repeated. */
  readonly repeats: number;
  /** Resolves when the callers have gone through `count` more lives. Rejects at the first request that failed. */
  lives(count: number): Promise<void>;
  /** Resolves when `work` has, and rejects at the first failure. */
  during(work: Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

interface Settings {
  /** The servers; each request goes to the next one. */
  targets: () => readonly string[];
  accessToken: string;
  callers: number;
  /** Whether requests that got no answer or 503 are repeated with their Idempotency-Key, as the API asks callers to. */
  repeats: boolean;
}

/** How long a caller goes on repeating a request, in milliseconds: longer than any restart takes. */
const patienceMs = 120_000;

export function startTraffic(settings: Settings): Traffic {
  const acknowledged: Acknowledged[] = [];
  const failures: string[] = [];
  let isStopped = false;
  let count = 0;
  const state = { repeats: 0 };
  const api = callerOf(settings, state);
  const caller = async () => {
    while (!isStopped) {
      try {
        acknowledged.push(await live(api, count++));
      } catch (error) {
        failures.push(String(error));
        isStopped = true;
      }
    }
  };
  const callers = Array.from({ length: settings.callers }, caller);
  const expectNone = () => {
    if (failures.length > 0) throw new Error(failures.join("\n"));
  };
  return {
    acknowledged,
    get repeats() {
      return state.repeats;
    },
    async lives(more) {
      for (const end = acknowledged.length + more; acknowledged.length < end; await sleep(5)) expectNone();
    },
    async during(work) {
      await Promise.race([work, Promise.all(callers)]);
      expectNone();
    },
    async stop() {
      isStopped = true;
      await Promise.all(callers);
      expectNone();
    },
  };
}

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

/** Goes through one life and checks each answer. */
async function live(call: Call, n: number): Promise<Acknowledged> {
  const amount = 1_000 + n;
  const created = await call("POST", "/v1/payments", {
    type: "product",
    amount,
    currency: "EUR",
    description: `Order ${n}`,
  });
  const id = String(created.payment_id);
  const acknowledged: Acknowledged = { id, paid: n % 3 === 0 ? amount - 500 : amount, refunded: n % 2 === 0 ? 100 : 0 };
  const payment = { type: "payment", payment_id: id, amount: acknowledged.paid, currency: "EUR" };
  await call("POST", "/v1/transactions", payment);
  if (acknowledged.refunded > 0) await call("POST", `/v1/payments/${id}/refund`, { amount: acknowledged.refunded });
  await call("GET", "/v1/payments?limit=5");
  await expectAcknowledged(call, acknowledged);
  return acknowledged;
}

/** Throws unless the payment request shows what was acknowledged. */
export async function expectAcknowledged(call: Call, { id, paid, refunded }: Acknowledged): Promise<void> {
  const seen = await call("GET", `/v1/payments/${id}`);
  if (seen.amount_paid !== paid || seen.amount_refunded !== refunded) {
    throw new Error(`${id}: ${paid} paid and ${refunded} refunded, but the server answers ${JSON.stringify(seen)}`);
  }
}

/** Sends requests to the targets in turn. Throws unless the request succeeds. */
export function callerOf({ targets, accessToken, repeats }: Omit<Settings, "callers">, state = { repeats: 0 }): Call {
  let turn = 0;
  return async (method, path, body) => {
    const key = randomUUID();
    const headers = {
      authorization: `Bearer ${accessToken}`,
      ...(body ? { "content-type": "application/json", "idempotency-key": key } : {}),
    };
    for (const deadline = Date.now() + patienceMs; ; state.repeats++) {
      const urls = targets();
      const url = `${urls[turn++ % urls.length]}${path}`;
      const answer = await send(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      if (answer.status >= 200 && answer.status < 300) return JSON.parse(answer.text);
      const isPassing = answer.status === 0 || answer.status === 503;
      if (!repeats || !isPassing || Date.now() > deadline) {
        throw new Error(`${method} ${url}: ${answer.status} ${answer.text}`);
      }
      await sleep(50);
    }
  };
}

/** The answer; status 0 if there was none. */
async function send(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: 0, text: String(error instanceof Error ? (error.cause ?? error) : error) };
  }
}
