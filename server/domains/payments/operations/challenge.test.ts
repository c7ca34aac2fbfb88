// 3-D Secure: the payer confirms, fails, leaves, or pays another way; and every test card that requires it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hourMs, limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { balancesOf, expectSoundLedger } from "@/test/money";
import { anyone, ask, card, formToken, openPage, paymentRow, payWith, submit, transactionsOf } from "@/test/payer";
import { openWorld, refusalOf, type TestUser, type World } from "@/test/world";
import { answerChallenge, viewChallenge } from "./challenge";
import { leaveChallenge } from "./leave-challenge";
import { paymentStatus } from "./status";

let world: World;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_LINK: "3", PAY_FAILURES_PER_IP: "10000" });
});
beforeEach(async () => {
  world.clock.advance(1000);
  user = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const challenging = card("4000002760003184");
const referenceOf = (url: string | null) => url?.split("/").at(-1) ?? "";
const answer = (reference: string, given: "complete" | "fail") =>
  world.call(answerChallenge, anyone, { reference, answer: given });

/** A payment request whose payer has submitted a card that requires a confirmation. */
async function challenged(typed = challenging, fields: Parameters<typeof ask>[2] = {}) {
  const { payment, token } = await ask(world, user.actor, fields);
  const { action_url } = await payWith(world, token, typed);
  return { id: payment.payment_id, token, url: action_url, reference: referenceOf(action_url) };
}

describe("a card that requires a confirmation", () => {
  it("sends the payer to it, and the payment request waits", async () => {
    const { id, token, url } = await challenged();
    expect(url).toMatch(/^http:\/\/localhost:3000\/sandbox\/challenge\/sandbox_charge_[0-9a-f]{24}$/);
    expect(await openPage(world, token)).toMatchObject({ state: "requires_action", action_url: url, form_token: null });
    expect(await world.call(paymentStatus, user.actor, { payment_id: id })).toMatchObject({
      status: "requires_action",
      next_action: { type: "redirect", url },
    });
    expect(await transactionsOf(world, id)).toMatchObject([{ status: "requires_action", amountCaptured: 0 }]);
    expect(await balancesOf(world, user.accountId)).toEqual({});
  });

  it("shows the payer what is confirmed, with a link back to the pay page", async () => {
    const { token, reference } = await challenged();
    const page = { amount: 1250, currency: "EUR", brand: "visa", last4: "3184" };
    const shown = await world.call(viewChallenge, anyone, { reference });
    expect(shown).toMatchObject({ ...page, state: "open" });
    expect(shown.return_url.endsWith(`/pay/${token}`)).toBe(true);
    await answer(reference, "complete");
    expect(await world.call(viewChallenge, anyone, { reference })).toMatchObject({ ...page, state: "answered" });
  });

  it.each([
    ["automatic", "paid", { available: 1250 }],
    ["manual", "authorized", { "memo:auth_open": 1250 }],
  ] as const)("pays once it is confirmed: capture %s", async (capture_method, status, balances) => {
    const { id, token, reference } = await challenged(challenging, { capture_method });
    await answer(reference, "complete");
    await answer(reference, "complete");
    await answer(reference, "fail");
    await runJobs(world);
    expect((await paymentRow(world, id)).status).toBe(status);
    expect((await openPage(world, token)).state).toBe(status);
    expect(await balancesOf(world, user.accountId)).toEqual(balances);
  });

  it("opens the form again after the confirmation failed, and another card pays", async () => {
    const { id, token, reference } = await challenged();
    await answer(reference, "fail");
    expect(await openPage(world, token)).toMatchObject({ state: "open", last_error_code: "authentication_failed" });
    await answer(reference, "complete");
    expect((await paymentRow(world, id)).status).toBe("pending");
    await payWith(world, token);
    expect((await paymentRow(world, id)).status).toBe("paid");
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 1250 });
  });

  it("can be left for another way to pay; a late confirmation then takes no money", async () => {
    const { id, token, reference } = await challenged();
    await world.call(leaveChallenge, anyone, { token });
    await world.call(leaveChallenge, anyone, { token });
    expect(await openPage(world, token)).toMatchObject({ state: "open", last_error_code: "authentication_abandoned" });
    await answer(reference, "complete");
    expect((await paymentRow(world, id)).status).toBe("pending");
    await payWith(world, token);
    await world.call(leaveChallenge, anyone, { token });
    expect((await paymentRow(world, id)).status).toBe("paid");
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 1250 });
  });

  it("may be left more often than a card may be declined", async () => {
    const { id, token } = await challenged();
    for (let left = 1; left <= limits.failures.declined; left++) {
      await world.call(leaveChallenge, anyone, { token });
      world.clock.advance(hourMs);
      await payWith(world, token, challenging);
    }
    expect((await paymentRow(world, id)).status).toBe("requires_action");
  });

  it("is given up automatically after 15 minutes, not before", async () => {
    const { id, token } = await challenged();
    world.clock.advance(15 * 60_000 - 1);
    await runJobs(world);
    expect((await openPage(world, token)).state).toBe("requires_action");
    world.clock.advance(1);
    await runJobs(world);
    expect(await openPage(world, token)).toMatchObject({ state: "open", last_error_code: "authentication_abandoned" });
    expect((await transactionsOf(world, id)).map((row) => row.status)).toEqual(["failed"]);
  });

  it("is one attempt, however often its form is sent", async () => {
    const { payment, token } = await ask(world, user.actor);
    const form = await formToken(world, token);
    const first = await submit(world, token, form, challenging);
    expect(await submit(world, token, form, challenging)).toEqual(first);
    expect(await transactionsOf(world, payment.payment_id)).toHaveLength(1);
    expect(first.action_url).not.toBeNull();
  });

  it("counts as a failed attempt only if the confirmation fails", async () => {
    const { token, reference } = await challenged();
    await answer(reference, "fail");
    for (let failure = 2; failure <= 3; failure++) await payWith(world, token, card("4000000000000002"));
    expect((await openPage(world, token)).state).toBe("failed");

    for (let good = 0; good < 5; good++) await answer((await challenged()).reference, "complete");
  });
});

describe("each card", () => {
  const outcomes: [number: string, after: string, code: string | null][] = [
    ["4000002500003155", "paid", null],
    ["4000002760003184", "paid", null],
    ["4000003800000446", "paid", null],
    ["4000000000003220", "paid", null],
    ["4000008260003178", "pending", "insufficient_funds"],
    ["4000008400001629", "pending", "card_declined"],
  ];
  it.each(outcomes)("%s, once confirmed, leads to %s", async (number, after, code) => {
    const { id, reference } = await challenged(card(number));
    expect((await paymentRow(world, id)).status).toBe("requires_action");
    await answer(reference, "complete");
    expect(await paymentRow(world, id)).toMatchObject({ status: after });
    expect((await paymentRow(world, id)).lastError?.code ?? null).toBe(code);
  });

  it("pays without a confirmation if none is required, and is declined if none is possible", async () => {
    for (const number of ["4000000000003055", "4000000000003097"]) {
      const { payment, token } = await ask(world, user.actor);
      expect((await payWith(world, token, card(number))).action_url).toBeNull();
      expect((await paymentRow(world, payment.payment_id)).status).toBe("paid");
    }
    const { payment, token } = await ask(world, user.actor);
    await payWith(world, token, card("4000008400001280"));
    expect((await paymentRow(world, payment.payment_id)).lastError?.code).toBe("processing_error");
  });
});

describe("an unknown confirmation", () => {
  const unknown = "sandbox_charge_000000000000000000000000";

  it("is not found", async () => {
    expect(await refusalOf(world.call(viewChallenge, anyone, { reference: unknown }))).toBe("payment_not_found");
    expect(await refusalOf(answer(unknown, "complete"))).toBe("payment_not_found");
  });

  it.each(["", "unknown", "\0", `${unknown}\0`, `${unknown}0`])(
    "%j is not a reference, and is not looked up",
    async (reference) => {
      expect(await refusalOf(world.call(viewChallenge, anyone, { reference }))).toBe("invalid_request");
      expect(await refusalOf(answer(reference, "complete"))).toBe("invalid_request");
    },
  );

  it("does not block database connections", async () => {
    const refusals = Array.from({ length: 40 }, () => refusalOf(answer(unknown, "complete")));
    expect(new Set(await Promise.all(refusals))).toEqual(new Set(["payment_not_found"]));
  });

  it("is not found for a charge that needed none", async () => {
    const { payment, token } = await ask(world, user.actor);
    await payWith(world, token);
    const [charge] = await transactionsOf(world, payment.payment_id);
    expect(await refusalOf(answer(charge?.providerReference ?? "", "fail"))).toBe("payment_not_found");
    expect((await paymentRow(world, payment.payment_id)).status).toBe("paid");
  });
});
