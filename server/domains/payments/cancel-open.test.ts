// Closing an account with many open payment requests: a bounded batch at once, the rest in a job.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jobs, payments, transactions } from "@/db/tables";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { requestCapture } from "@/server/domains/transactions/record-store";
import { limits } from "@/server/kit/limits";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger, rowOf, settleNow } from "@/test/money";
import { ask, card, formToken, openPage, paymentRow, payWith, submit, transactionsOf } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
beforeEach(async () => {
  user = await world.user(org.id);
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const close = () => closeAccountOf(world, org.admin.actor, user.accountId);
const countOf = (status: "pending" | "canceled") =>
  world.runtime.db.read.$count(payments, and(eq(payments.accountId, user.accountId), eq(payments.status, status)));

describe("an account with more open payment requests than one batch", () => {
  it("closes at once with the first batch, and a job cancels the rest; all of them are counted", {
    timeout: 60_000,
  }, async () => {
    const extra = 7;
    const requests = await Promise.all(
      Array.from({ length: limits.batch.cancel + extra }, () => ask(world, user.actor)),
    );
    requests.sort((a, b) => (a.payment.payment_id < b.payment.payment_id ? -1 : 1));
    const form = await formToken(world, requests.at(-1)?.token ?? "");
    expect((await close()).canceled_payments).toBe(limits.batch.cancel + extra);
    expect([await countOf("canceled"), await countOf("pending")]).toEqual([limits.batch.cancel, extra]);
    // No attempt can start on the others meanwhile.
    expect((await openPage(world, requests.at(-1)?.token ?? "")).state).toBe("unavailable");
    expect(await refusalOf(submit(world, requests.at(-1)?.token ?? "", form))).toBe("payment_not_payable");
    await runJobs(world);
    expect([await countOf("canceled"), await countOf("pending")]).toEqual([limits.batch.cancel + extra, 0]);
    expect(await world.runtime.db.read.$count(jobs, eq(jobs.objectId, user.accountId))).toBe(0);
  });
});

describe("an attempt in progress when its account closes", () => {
  it("no longer waits for a confirmation", async () => {
    const { payment, token } = await ask(world, user.actor);
    await payWith(world, token, card("4000002760003184"));
    expect((await close()).canceled_payments).toBe(1);
    await runJobs(world);
    expect(await transactionsOf(world, payment.payment_id)).toMatchObject([{ status: "failed", amountCaptured: 0 }]);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("canceled");
  });

  it("is released at once if the provider reports its authorization only afterwards", async () => {
    const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
    await payWith(world, token, { ...card(troubledCard), security_code: lostAnswerCode });
    const [attempt] = await transactionsOf(world, payment.payment_id);
    const id = attempt?.id ?? "";
    const charge = await sandboxProvider(world.runtime, false).lookup("charge", id);
    await close();
    // As if the call that made it, or a look-up, was in progress meanwhile. No other result follows.
    await world.runtime.db.write(async (tx) => void (await tx.delete(jobs).where(eq(jobs.objectId, id))));
    await settleNow(world, id, charge as ChargeResult);
    expect(await rowOf(world, id)).toMatchObject({ status: "authorized" });
    await runJobs(world);
    expect(await rowOf(world, id)).toMatchObject({ status: "canceled", amountReleased: 1250 });
    expect((await paymentRow(world, payment.payment_id)).status).toBe("canceled");
  });

  it("is captured if that was decided before", async () => {
    const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
    await payWith(world, token);
    const [hold] = await transactionsOf(world, payment.payment_id);
    await world.runtime.db.write((tx) => requestCapture(tx, hold?.id ?? "", 500, world.clock.now()));
    expect((await close()).canceled_payments).toBe(0);
    world.clock.advance(60_000);
    await world.runtime.db.write((tx) =>
      tx
        .update(jobs)
        .set({ runAt: world.clock.now() })
        .where(eq(jobs.objectId, hold?.id ?? "")),
    );
    await runJobs(world);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "paid", amountPaid: 500 });
    expect(await rowOf(world, hold?.id ?? "")).toMatchObject({ status: "succeeded", amountCaptured: 500 });
    world.clock.advance(60_000);
    await runJobs(world);
    expect(await world.runtime.db.read.$count(jobs, eq(jobs.objectId, user.accountId))).toBe(0);
    expect(await world.runtime.db.read.$count(transactions, eq(transactions.accountId, user.accountId))).toBe(1);
  });
});
