// A charge is begun at its provider in time or never, so that none is made after it was given up.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { jobs, sandboxOperations } from "@/db/tables";
import { runJobs } from "@/server/testing/jobs";
import {
  ask,
  card,
  formToken,
  goodCard,
  openPage,
  paymentRow,
  payWith,
  submit,
  transactionsOf,
} from "@/server/testing/payer";
import { openWorld, type TestOrganization, type World } from "@/server/testing/world";
import { lookUp } from "./lookup";
import { neverMade, notReceived } from "./providers/provider";
import { inTime } from "./providers/registry";
import { sandboxProvider } from "./providers/sandbox";
import { lostAnswerCode, noAnswerCode, troubledCard } from "./providers/test-cards";
import { startWithinMs } from "./rules";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "2", PAY_FAILURES_PER_LINK: "2" });
  acme = await world.organization();
});
beforeEach(() => world.clock.advance(1000));
afterAll(() => world.close());

/** A request whose payer has a form in front of it. */
async function form() {
  const { payment, token } = await ask(world, acme.member.actor);
  return { id: payment.payment_id, token, form: await formToken(world, token) };
}

/** Lets time pass around the next write transaction, as a busy database does. */
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

const chargesOf = (transactionId: string): Promise<number> =>
  world.runtime.db.read.$count(sandboxOperations, eq(sandboxOperations.idempotencyKey, transactionId));

describe("the deadline of a charge", () => {
  it("counts from the commit, however long the call had waited for it", async () => {
    const { id, token, form: sent } = await form();
    waitAround({ before: 60_000 });
    await submit(world, token, sent, { ...goodCard, card_number: troubledCard, security_code: lostAnswerCode });
    const { attempt, job } = await attemptOf(id);
    expect(attempt).toMatchObject({ status: "processing", startBefore: world.clock.now() + startWithinMs });
    expect(job?.runAt).toBe(world.clock.now() + 30_000);
  });

  it("is the last instant at which the provider is called", async () => {
    for (const [late, status] of [
      [startWithinMs - 1, "paid"],
      [startWithinMs, "pending"],
      [startWithinMs + 1, "pending"],
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

  it("tells the payer that nothing was charged, and counts as no failed attempt", async () => {
    const { id, token, form: sent } = await form();
    for (let missed = 1; missed <= 3; missed++) {
      waitAround({ after: startWithinMs });
      await submit(world, token, missed === 1 ? sent : await formToken(world, token));
      world.clock.advance(1);
    }
    expect(await openPage(world, token)).toMatchObject({ state: "open", last_error_code: notReceived.code });
    await payWith(world, token);
    expect((await paymentRow(world, id)).status).toBe("paid");
  });
});

describe("a charge without an answer", () => {
  it("is not given up while its call may still begin or be under way, whoever asks about it", async () => {
    const { id, token, form: sent } = await form();
    waitAround({ before: 60_000 });
    await submit(world, token, sent, { ...goodCard, card_number: troubledCard, security_code: lostAnswerCode });
    const { attempt } = await attemptOf(id);
    await world.runtime.db.write(async (tx) => {
      await tx.delete(sandboxOperations).where(eq(sandboxOperations.idempotencyKey, attempt.id));
    });
    const givenUpAt = world.clock.now() + 30_000;
    for (const early of [30_000, 1]) {
      world.clock.advance(givenUpAt - early - world.clock.now());
      expect(await lookUp(world.runtime, attempt.id)).toEqual({ again: givenUpAt });
      await runJobs(world);
      expect((await attemptOf(id)).attempt.status).toBe("processing");
      expect((await openPage(world, token)).state).toBe("processing");
    }
    world.clock.advance(1);
    await runJobs(world);
    expect((await attemptOf(id)).attempt).toMatchObject({ status: "failed", failure: notReceived });
  });

  it("that was given up is never made, by whichever call arrives later", async () => {
    const sandbox = sandboxProvider(world.runtime, false);
    const request = {
      idempotencyKey: world.id("txn"),
      amount: 1250,
      currency: "EUR",
      captureMethod: "automatic",
    } as const;
    const givenUp = await sandbox.giveUp(request);
    expect(givenUp).toEqual({ ...neverMade, reference: expect.stringMatching(/^sandbox_charge_/) });
    expect(await sandbox.start({ ...request, details: goodCard })).toEqual(givenUp);
    expect(await sandbox.lookup("charge", request.idempotencyKey)).toEqual(givenUp);
  });

  it("that had arrived before it was given up is what it is", async () => {
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

describe("a call that nobody waits for any more", () => {
  it("is ended by its signal: the sandbox makes nothing of it", async () => {
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

  it("gets the signal when it has taken too long", async () => {
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
