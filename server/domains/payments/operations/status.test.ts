// Checking a status: its fields, its ETag, and waiting for a change.
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { revokeApiKey } from "@/server/domains/api-keys/operations/revoke";
import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import type { CallRequest } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { removeUserOf } from "@/test/closing";
import { ask, card, payPart, payWith } from "@/test/payer";
import { apiKey } from "@/test/people";
import { bearer, callWith, signInAs } from "@/test/signing-in";
import { confirmOn } from "@/test/subscriber";
import { anotherProcess, callRequest, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { watchPayment } from "../change-watcher";
import { findStatusSnapshots, type StatusSnapshot } from "../store";
import { cancelPayment } from "./cancel";
import { paymentStatus } from "./status";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
});
beforeEach(() => world.clock.advance(1000));
afterAll(() => world.close());

const newRequest = () => ask(world, acme.member.actor);
const status = (payment_id: string, wait?: number, request?: Partial<CallRequest>) =>
  world.call(paymentStatus, acme.member.actor, { payment_id, wait }, request);
const tagOf = (state: Awaited<ReturnType<typeof status>>) => `"${paymentStatus.rest?.etag?.(state)}"`;

/** The duration and the answer of a call. */
async function timed<T>(call: Promise<T>): Promise<{ ms: number; answer: T }> {
  const from = performance.now();
  const answer = await call;
  return { ms: performance.now() - from, answer };
}

describe("the answer", () => {
  it("has every field, before and after paying", async () => {
    const { payment, token } = await newRequest();
    const { payment_id, expires_at } = payment;
    expect(await status(payment_id)).toEqual({
      payment_id,
      status: "pending",
      amount: 1250,
      currency: "EUR",
      amount_paid: 0,
      amount_due: 1250,
      amount_authorized: 0,
      amount_capturable: 0,
      amount_refunded: 0,
      dispute_status: "none",
      last_error: null,
      next_action: null,
      transaction_ids: [],
      expires_at,
      updated_at: payment.updated_at,
    });
    await payWith(world, token, card("4000000000000002"));
    expect((await status(payment_id)).last_error).toEqual({ code: "card_declined", message: "The card was declined." });
    world.clock.advance(1000);
    await payWith(world, token);
    const paid = await status(payment_id);
    expect(paid).toMatchObject({ status: "paid", amount_paid: 1250, amount_due: 0, last_error: null });
    expect(paid.transaction_ids).toHaveLength(2);
  });

  it("has a new ETag when anything in it changes, and only then", async () => {
    const { payment, token } = await newRequest();
    const [first, second] = [await status(payment.payment_id), await status(payment.payment_id)];
    expect(tagOf(first)).toBe(tagOf(second));
    world.clock.advance(31 * 86_400_000);
    expect(tagOf(await status(payment.payment_id))).not.toBe(tagOf(first));
    const other = await newRequest();
    const before = await status(other.payment.payment_id);
    await payWith(world, other.token);
    expect(tagOf(await status(other.payment.payment_id))).not.toBe(tagOf(before));
    expect(token).not.toBe(other.token);
  });

  it("is an error for a payment request that the caller does not see, and for a wait that is too long", async () => {
    const { payment_id } = (await newRequest()).payment;
    const outsider = (await world.organization("Other")).admin.actor;
    for (const actor of [acme.other.actor, outsider]) {
      expect(await refusalOf(world.call(paymentStatus, actor, { payment_id, wait: 5 }))).toBe("payment_not_found");
    }
    expect(await refusalOf(status("pay_unknown"))).toBe("payment_not_found");
    expect(await refusalOf(status(payment_id, 61))).toBe("invalid_request");
    expect(await refusalOf(status(payment_id, -1))).toBe("invalid_request");
  });
});

describe("waiting", () => {
  it("ends as soon as the status changes", async () => {
    const { payment, token } = await newRequest();
    const waiting = timed(status(payment.payment_id, 30));
    await sleep(50);
    await payWith(world, token);
    const { ms, answer } = await waiting;
    expect(["processing", "paid"]).toContain(answer.status);
    expect(ms).toBeLessThan(900);
  });

  it("ends after the given time", async () => {
    const { payment } = await newRequest();
    const { ms, answer } = await timed(status(payment.payment_id, 1));
    expect(answer.status).toBe("pending");
    expect(ms).toBeGreaterThan(900);
  });

  it("ends at once if the caller's ETag is old, and waits if it is current", async () => {
    const { payment, token } = await newRequest();
    const old = tagOf(await status(payment.payment_id));
    await payWith(world, token);
    const stale = await timed(status(payment.payment_id, 30, { ifNoneMatch: old }));
    expect(stale.answer.status).toBe("paid");
    expect(stale.ms).toBeLessThan(500);
    const current = await timed(status(payment.payment_id, 1, { ifNoneMatch: `W/${tagOf(stale.answer)}, "x"` }));
    expect(current.ms).toBeGreaterThan(900);
  });

  it("for a final status goes on over all others, and ends at once if there is one already", async () => {
    const { payment, token } = await newRequest();
    const { payment_id } = payment;
    const final = () =>
      timed(world.call(paymentStatus, acme.member.actor, { payment_id, wait: 30, wait_for: "final" }));
    const waiting = final();
    await vi.waitFor(() => expect(takenPolls()).toBe(1));
    await payWith(world, token, card("4000000000000002"));
    await payWith(world, token, card("4000002760003184"));
    expect((await status(payment_id)).status).toBe("requires_action");
    await sleep(1_200);
    expect(takenPolls()).toBe(1);
    await confirmOn(world, token);
    expect((await waiting).answer.status).toBe("paid");
    const again = await final();
    expect(again.answer.status).toBe("paid");
    expect(again.ms).toBeLessThan(500);
  });

  it("for a final status ends for a hold, and not while a second part is being confirmed", async () => {
    const held = await ask(world, acme.member.actor, { capture_method: "manual" });
    await payWith(world, held.token);
    const wait_for = "final";
    const call = (payment_id: string, wait: number) =>
      timed(world.call(paymentStatus, acme.member.actor, { payment_id, wait, wait_for }));
    const ended = await call(held.payment.payment_id, 30);
    expect(ended.answer.status).toBe("authorized");
    expect(ended.ms).toBeLessThan(500);
    const parts = await ask(world, acme.member.actor, { allow_partial: true });
    await payPart(world, parts.token, "own", 500);
    expect((await call(parts.payment.payment_id, 30)).ms).toBeLessThan(500);
    await payPart(world, parts.token, "all", null, card("4000002760003184"));
    expect((await call(parts.payment.payment_id, 1)).ms).toBeGreaterThan(900);
  });

  it("ends when the caller disconnects or the server drains", async () => {
    const { payment } = await newRequest();
    const gone = new AbortController();
    const waiting = timed(status(payment.payment_id, 30, { signal: gone.signal }));
    await sleep(50);
    gone.abort();
    expect((await waiting).ms).toBeLessThan(500);
  });

  it("notices changes by another process and by time alone", async () => {
    const { payment } = await newRequest();
    const elsewhere = await anotherProcess(world);
    const waiting = status(payment.payment_id, 30);
    await sleep(20);
    await elsewhere.call(cancelPayment, acme.member.actor, { payment_id: payment.payment_id });
    await elsewhere.close();
    expect((await waiting).status).toBe("canceled");
    const brief = await ask(world, acme.member.actor, { expires_at: new Date(world.clock.now() + 5000).toISOString() });
    const lasting = status(brief.payment.payment_id, 30);
    await sleep(20);
    world.clock.advance(5000);
    expect((await lasting).status).toBe("expired");
  });

  it("notices a change between the first read and the wait", async () => {
    const { payment } = await newRequest();
    const [row] = await findStatusSnapshots(world.runtime.db.read, [payment.payment_id]);
    const unwatch = watchPayment(world.runtime, { ...(row as StatusSnapshot), updatedAt: 0 });
    const noticed = vi.fn();
    void world.runtime.changes.next([payment.payment_id], 5_000, new AbortController().signal).then(noticed);
    await vi.waitFor(() => expect(noticed).toHaveBeenCalled(), 4_000);
    unwatch();
  });

  it("fails once the caller's session has ended", async () => {
    const { payment, token } = await newRequest();
    const { access_token } = await signInAs(world, acme.member);
    const waiting = refusalOf(
      callWith(world, paymentStatus, bearer(access_token), { payment_id: payment.payment_id, wait: 30 }),
    );
    await vi.waitFor(() => expect(takenPolls()).toBe(1));
    await callWith(world, invalidateSession, bearer(access_token), {});
    await payWith(world, token);
    expect(await waiting).toBe("unauthorized");
  });
});

describe("a caller who ends while the call waits, in whichever process", () => {
  /** How long a waiting call takes to fail once `end` has been called. */
  async function timeToFail(token: string, end: (elsewhere: World) => Promise<unknown>): Promise<number> {
    const { payment } = await newRequest();
    const before = takenPolls();
    const input = { payment_id: payment.payment_id, wait: 60 };
    const waiting = refusalOf(callWith(world, paymentStatus, bearer(token), input));
    await vi.waitFor(() => expect(takenPolls()).toBe(before + 1));
    const elsewhere = await anotherProcess(world);
    try {
      await end(elsewhere);
      const { ms, answer } = await timed(waiting);
      expect(answer).toBe("unauthorized");
      expect(takenPolls()).toBe(before);
      return ms;
    } finally {
      await elsewhere.close();
    }
  }

  // Two seconds, with room for a busy machine; the call would wait for sixty.
  const soon = 10_000;

  it("fails soon after the API key was revoked", async () => {
    const key = await apiKey(world, acme.id, ["payments:read"]);
    const end = (elsewhere: World) => elsewhere.call(revokeApiKey, acme.admin.actor, { api_key_id: key.id });
    expect(await timeToFail(key.token, end)).toBeLessThan(soon);
  });

  it("fails soon after the user was removed", async () => {
    const user = await world.user(acme.id, "operator");
    const { access_token } = await signInAs(world, user);
    const end = (elsewhere: World) => removeUserOf(elsewhere, acme.admin.actor, user.id);
    expect(await timeToFail(access_token, end)).toBeLessThan(soon);
  });
});

describe("many waiting calls", () => {
  it("are answered at once beyond one caller's limit, and do not count against other callers", async () => {
    const { payment } = await newRequest();
    const leaving = new AbortController();
    const { signal } = leaving;
    setMaxListeners(0, signal);
    const waiting = Array.from({ length: limits.polls.perCaller }, () => status(payment.payment_id, 60, { signal }));
    await vi.waitFor(() => expect(takenPolls()).toBe(limits.polls.perCaller));
    const request = callRequest(world.runtime);
    const { ms, answer } = await timed(status(payment.payment_id, 60, request));
    expect(answer.status).toBe("pending");
    expect(ms).toBeLessThan(5_000);
    expect(request.answerHeaders["Retry-After"]).toBe("1");
    const admin = world.call(paymentStatus, acme.admin.actor, { payment_id: payment.payment_id, wait: 60 }, { signal });
    await vi.waitFor(() => expect(takenPolls()).toBe(limits.polls.perCaller + 1));
    leaving.abort();
    await Promise.all([...waiting, admin]);
    expect(takenPolls()).toBe(0);
  });

  it("share a query a second for payment requests and one for callers, and none is made once they have ended", async () => {
    const payments = await Promise.all([newRequest(), newRequest(), newRequest()]);
    const leaving = new AbortController();
    setMaxListeners(0, leaving.signal);
    const waiting = payments.flatMap(({ payment }) =>
      Array.from({ length: 5 }, () => status(payment.payment_id, 60, { signal: leaving.signal })),
    );
    await vi.waitFor(() => expect(takenPolls()).toBe(15));
    const select = vi.spyOn(world.runtime.db.read, "select");
    await sleep(3_200);
    expect(select.mock.calls.length).toBeGreaterThan(0);
    expect(select.mock.calls.length).toBeLessThanOrEqual(8);
    leaving.abort();
    await Promise.all(waiting);
    await sleep(1_100);
    const queries = select.mock.calls.length;
    await sleep(1_500);
    expect(select.mock.calls.length).toBe(queries);
    select.mockRestore();
  });

  it("count every read against their rate limit", async () => {
    const limited = await openWorld({ RATE_LIMIT: "100" });
    const { member } = await limited.organization();
    const { payment } = await ask(limited, member.actor);
    const left = async () => {
      const request = callRequest(limited.runtime);
      await limited.call(paymentStatus, member.actor, { payment_id: payment.payment_id }, request);
      return Number(/r=(\d+)/.exec(request.answerHeaders.RateLimit ?? "")?.[1]);
    };
    const before = await left();
    await limited.call(paymentStatus, member.actor, { payment_id: payment.payment_id, wait: 1 });
    // The waiting call itself, its read at the end, and the call that reads what is left.
    expect(await left()).toBe(before - 3);
    await limited.close();
  });
});

/** The number of waiting calls in this process. */
const takenPolls = () => world.runtime.polls.count;
