// A charge starts at its provider before its deadline or never, so that none is made after it was given up.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { databaseNow } from "@/db/database-clock";
import { accounts, jobs, sandboxOperations, transactions } from "@/db/tables";
import { inTime } from "@/server/domains/providers/in-time";
import { neverMade, notReceived } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { lostAnswerCode, noAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { lookUp } from "@/server/domains/transactions/look-up";
import { limits } from "@/server/kit/limits";
import { ageCharges } from "@/test/charge-ages";
import { runJobs } from "@/test/jobs";
import { ask, card, formToken, goodCard, openPage, paymentRow, payWith, submit, transactionsOf } from "@/test/payer";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "2", PAY_FAILURES_PER_LINK: "2" });
  acme = await world.organization();
});
beforeEach(() => world.clock.advance(1000));
afterAll(() => world.close());

/** A payment request with a loaded pay form. */
async function form() {
  const { payment, token } = await ask(world, acme.member.actor);
  return { id: payment.payment_id, token, form: await formToken(world, token) };
}

/** Advances the time around the next write transaction, as on a busy database. */
function waitAround({ before = 0, after = 0 }: { before?: number; after?: number }): void {
  const { db } = world.runtime;
  const write = db.write.bind(db);
  vi.spyOn(db, "write").mockImplementationOnce(async (work) => {
    world.clock.advance(before);
    const result = await write(work);
    world.clock.advance(after);
    return result;
  });
}

async function attemptOf(paymentId: string) {
  const [attempt] = await transactionsOf(world, paymentId);
  if (!attempt) throw new Error("Nothing was attempted.");
  const [job] = await world.runtime.db.read.select().from(jobs).where(eq(jobs.objectId, attempt.id));
  return { attempt, job };
}

async function databaseTime(): Promise<number> {
  const [row] = await world.runtime.db.read.select({ now: databaseNow }).from(accounts).limit(1);
  return row?.now ?? 0;
}

const chargesOf = (transactionId: string): Promise<number> =>
  world.runtime.db.read.$count(sandboxOperations, eq(sandboxOperations.idempotencyKey, transactionId));

describe("the deadline of a charge", () => {
  it("counts from the moment it is written, by the database's clock", async () => {
    const { id, token, form: sent } = await form();
    waitAround({ before: 60_000 });
    const before = await databaseTime();
    await submit(world, token, sent, { ...goodCard, card_number: troubledCard, security_code: lostAnswerCode });
    const { attempt, job } = await attemptOf(id);
    expect(attempt.startBefore).toBeGreaterThanOrEqual(before + limits.charge.startMs);
    expect(attempt.startBefore).toBeLessThanOrEqual((await databaseTime()) + limits.charge.startMs);
    expect(job?.runAt).toBe(world.clock.now() + 30_000);
  });

  it("is the last instant at which the provider may be called", async () => {
    for (const [late, status] of [
      [limits.charge.startMs - 1, "paid"],
      [limits.charge.startMs, "pending"],
      [limits.charge.startMs + 1, "pending"],
    ] as const) {
      const { id, token, form: sent } = await form();
      waitAround({ after: late });
      expect((await submit(world, token, sent)).result).toBe("submitted");
      const { attempt, job } = await attemptOf(id);
      expect((await paymentRow(world, id)).status).toBe(status);
      expect(await chargesOf(attempt.id)).toBe(status === "paid" ? 1 : 0);
      if (status === "pending") expect(job).toBeUndefined();
    }
  });

  it.each([
    ["its own clock runs slow", performance],
    ["only the system clock shows that it was paused", Date],
  ])("is over for the calling process even if %s", async (_, clock) => {
    const { id, token, form: sent } = await form();
    const { db } = world.runtime;
    const write = db.write.bind(db);
    const now = clock.now.bind(clock);
    vi.spyOn(db, "write").mockImplementationOnce(async (work) => {
      const result = await write(work);
      vi.spyOn(clock, "now").mockImplementation(() => now() + limits.charge.startMs);
      return result;
    });
    await submit(world, token, sent);
    vi.restoreAllMocks();
    const { attempt } = await attemptOf(id);
    expect(attempt).toMatchObject({ status: "failed", failure: notReceived });
    expect(await chargesOf(attempt.id)).toBe(0);
  });

  it("shows the payer that nothing was charged, and does not count as a failed attempt", async () => {
    const { id, token, form: sent } = await form();
    for (let missed = 1; missed <= 3; missed++) {
      waitAround({ after: limits.charge.startMs });
      await submit(world, token, missed === 1 ? sent : await formToken(world, token));
      world.clock.advance(1);
    }
    expect(await openPage(world, token)).toMatchObject({ state: "open", last_error_code: notReceived.code });
    await payWith(world, token);
    expect((await paymentRow(world, id)).status).toBe("paid");
  });
});

describe("a charge without an answer", () => {
  /** A charge that its provider does not know yet. */
  async function unknown() {
    const { id, token, form: sent } = await form();
    await submit(world, token, sent, { ...goodCard, card_number: troubledCard, security_code: lostAnswerCode });
    const { attempt } = await attemptOf(id);
    await world.runtime.db.write(async (tx) => {
      await tx.delete(sandboxOperations).where(eq(sandboxOperations.idempotencyKey, attempt.id));
    });
    const status = async () => (await attemptOf(id)).attempt.status;
    return { id: attempt.id, token, status };
  }

  it("is not given up while its call may still start or run, whichever process looks it up", async () => {
    const { id, token, status } = await unknown();
    const begunAt = world.clock.now();
    world.clock.advance(15_000);
    await runJobs(world);
    const later = await lookUp(world.runtime, id);
    expect(later?.again).toBeGreaterThan(world.clock.now());
    expect(later?.again).toBeLessThanOrEqual(begunAt + 30_000);
    expect(await status()).toBe("processing");
    expect((await openPage(world, token)).state).toBe("processing");
    world.clock.advance(15_000);
    await runJobs(world);
    expect(await status()).toBe("failed");
    expect((await openPage(world, token)).last_error_code).toBe(notReceived.code);
  });

  it.each([
    ["ahead", 3_600_000],
    ["behind", -3_600_000],
  ])("is given up at the same time by a process whose clock is %s", async (_, lead) => {
    const other = await anotherProcess(world, { clock: { now: () => world.clock.now() + lead } });
    const { id, status } = await unknown();
    world.clock.advance(15_000);
    await ageCharges(world);
    const later = await lookUp(other.runtime, id);
    expect(later?.again).toBeGreaterThan(other.runtime.clock.now());
    expect(later?.again).toBeLessThanOrEqual(other.runtime.clock.now() + 15_000);
    expect(await status()).toBe("processing");
    world.clock.advance(15_000);
    await ageCharges(world);
    expect(await lookUp(other.runtime, id)).toBeUndefined();
    expect(await status()).toBe("failed");
    await other.close();
  });

  it("is given up in time even if the database's clock was set back", async () => {
    const { id, status } = await unknown();
    const startBefore = (await databaseTime()) + 3_600_000;
    await world.runtime.db.write(
      async (tx) => void (await tx.update(transactions).set({ startBefore }).where(eq(transactions.id, id))),
    );
    expect(await lookUp(world.runtime, id)).toEqual({ again: world.clock.now() + 30_000 });
    world.clock.advance(30_000);
    expect(await lookUp(world.runtime, id)).toBeUndefined();
    expect(await status()).toBe("failed");
  });

  it("that was given up is never made by a call that arrives later", async () => {
    const sandbox = sandboxProvider(world.runtime, false);
    const request = {
      idempotencyKey: world.id("txn"),
      amount: 1250,
      currency: "EUR",
      captureMethod: "automatic",
    } as const;
    const givenUp = await sandbox.giveUp(request);
    expect(givenUp).toEqual({ ...neverMade, movedAt: null, reference: expect.stringMatching(/^sandbox_charge_/) });
    expect(await sandbox.start({ ...request, details: goodCard })).toEqual(givenUp);
    expect(await sandbox.lookup("charge", request.idempotencyKey)).toEqual(givenUp);
  });

  it("that arrived before it was given up keeps its result", async () => {
    const sandbox = sandboxProvider(world.runtime, false);
    const request = {
      idempotencyKey: world.id("txn"),
      amount: 1250,
      currency: "EUR",
      captureMethod: "automatic",
    } as const;
    const made = await sandbox.start({ ...request, details: goodCard });
    expect(await sandbox.giveUp(request)).toEqual(made);
    expect(made.status).toBe("succeeded");
  });
});

describe("a call whose caller has stopped waiting", () => {
  it("is aborted by its signal and has no effect in the sandbox", async () => {
    const sandbox = sandboxProvider(world.runtime, false);
    const idempotencyKey = world.id("txn");
    const request = {
      idempotencyKey,
      amount: 1250,
      currency: "EUR",
      captureMethod: "automatic",
      details: goodCard,
    } as const;
    const ended = AbortSignal.abort(new Error("ended"));
    await expect(sandbox.start(request, ended)).rejects.toThrow("ended");
    expect(await chargesOf(idempotencyKey)).toBe(0);
    const { reference } = await sandbox.start(request);
    await expect(sandbox.cancel(reference ?? "", "authorized", ended)).rejects.toThrow("ended");
    await expect(sandbox.capture(reference ?? "", 1, ended)).rejects.toThrow("ended");
    const refund = { idempotencyKey: world.id("txn"), chargeReference: reference ?? "", amount: 1, currency: "EUR" };
    await expect(sandbox.refund(refund, ended)).rejects.toThrow("ended");
  });

  it("is aborted by its signal when it takes too long", async () => {
    const sandbox = sandboxProvider(world.runtime, false);
    const details = { ...card(troubledCard), security_code: noAnswerCode };
    const request = {
      idempotencyKey: world.id("txn"),
      amount: 1250,
      currency: "EUR",
      captureMethod: "automatic",
    } as const;
    let given: AbortSignal | undefined;
    const call = (signal: AbortSignal) => {
      given = signal;
      return sandbox.start({ ...request, details }, signal);
    };
    await expect(inTime(call, 10)).rejects.toThrow("did not answer in time");
    expect(given?.aborted).toBe(true);
  });
});
