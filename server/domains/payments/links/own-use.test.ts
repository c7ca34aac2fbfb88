// A payer whose payment may still be made is not charged again through a reusable link, and strangers learn nothing of it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { askMany, linkForm, payUse, sendUse } from "@/test/link-payer";
import { anyone, card, formToken, goodCard, paymentRow, submit, tokenOf, transactionsOf } from "@/test/payer";
import { openWorld, type TestUser, type World } from "@/test/world";
import { answerChallenge } from "../operations/challenge";
import { leaveChallenge } from "../operations/leave-challenge";
import { listPaymentRequests } from "../operations/list";

let world: World;
let member: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  member = (await world.organization()).member;
});
afterAll(() => world.close());

const lost = { ...card(troubledCard), security_code: lostAnswerCode };
const challenged = card("4000002760003184");
const declined = card("4000000000000002");
const home = { ip: "198.51.100.1" };
const elsewhere = { ip: "203.0.113.1" };
const usesOf = async (parent_payment_id: string) =>
  (await world.call(listPaymentRequests, member.actor, { parent_payment_id })).data;

it("two forms of one payer at once charge once", async () => {
  const { payment, token } = await askMany(world, member.actor);
  const forms = [await linkForm(world, token), await linkForm(world, token)];
  const answers = await Promise.all(forms.map((form) => sendUse(world, form, home)));
  // On a fast engine the first has succeeded before the second begins.
  const [first, ...others] = await usesOf(payment.payment_id);
  const refused = answers.filter(({ problems }) => problems.includes("being_checked"));
  expect(others.length + refused.length).toBe(1);
  expect(first).toMatchObject({ status: "paid" });
});

it("the same payer is refused while the outcome is not known, and strangers and other payers pay", async () => {
  const { payment, token } = await askMany(world, member.actor);
  const { payment_id } = await payUse(world, token, lost, home);
  const form = await linkForm(world, token);
  const refused = { result: "refused", problems: ["being_checked"], payment_url: null, payment_id: payment.payment_id };
  expect(await sendUse(world, form, home)).toEqual({ ...refused, action_url: null });
  expect(await transactionsOf(world, payment_id)).toHaveLength(1);
  await payUse(world, token, {}, elsewhere);
  await payUse(world, token, { email: "ada@example.com" }, home);
  expect(await usesOf(payment.payment_id)).toHaveLength(3);
  const other = await askMany(world, member.actor);
  await payUse(world, other.token, {}, home);
  world.clock.advance(31_000);
  await runJobs(world);
  expect(await sendUse(world, form, home)).toMatchObject({ result: "submitted" });
});

it("a form of a browser that is paying another use asks whose that is, whatever name and address are typed", async () => {
  const { payment, token } = await askMany(world, member.actor, { usage_limit: 2 });
  const first = await linkForm(world, token, lost);
  const { payment_id, payment_url } = await sendUse(world, first, home);
  const second = await linkForm(world, token, { email: "ada@example.com", shown: ["unknown", first.form_token] });
  expect(await sendUse(world, second, elsewhere)).toMatchObject({
    ...{ payment_id: payment.payment_id, result: "refused", problems: ["begun_before"], payment_url: null },
  });
  expect(await sendUse(world, first, elsewhere)).toMatchObject({ payment_id, payment_url, result: "submitted" });
  expect(await usesOf(payment.payment_id)).toHaveLength(1);
  expect(await sendUse(world, { ...second, not_mine: payment_id }, elsewhere)).toMatchObject({ result: "submitted" });
  expect(await usesOf(payment.payment_id)).toHaveLength(2);
});

describe("a payer without cookies who has a confirmation open", () => {
  const confirm = (url: string | null) =>
    world.call(answerChallenge, anyone, { reference: url?.split("/").at(-1) ?? "", answer: "complete" });

  it("is refused until it is over, and may then buy again on purpose", async () => {
    const { payment, token } = await askMany(world, member.actor);
    const { action_url } = await payUse(world, token, challenged, home);
    const form = await linkForm(world, token, { email: "GRACE@example.com" });
    expect(await sendUse(world, form, home)).toMatchObject({ result: "refused", problems: ["being_confirmed"] });
    await confirm(action_url);
    expect(await usesOf(payment.payment_id)).toMatchObject([{ status: "paid" }]);
    expect(await sendUse(world, form, home)).toMatchObject({ result: "submitted" });
    expect(await usesOf(payment.payment_id)).toHaveLength(2);
  });

  it("may pay anew once it has lapsed or was left, and it charges no more", async () => {
    for (const end of ["lapse", "leave"] as const) {
      const { payment, token } = await askMany(world, member.actor);
      const { action_url, payment_url } = await payUse(world, token, challenged, home);
      if (end === "leave") await world.call(leaveChallenge, anyone, { token: tokenOf(payment_url) });
      else world.clock.advance(limits.charge.confirmMs);
      await runJobs(world);
      expect(await payUse(world, token, {}, home)).toMatchObject({ result: "submitted" });
      await confirm(action_url).catch(() => undefined);
      await runJobs(world);
      expect(await paymentRow(world, payment.payment_id)).toMatchObject({ usesCount: 1, amountPaid: 1250 });
    }
  });

  it("is charged once when the forms are sent and the confirmation is given at the same time", async () => {
    const { payment, token } = await askMany(world, member.actor);
    const forms = await Promise.all([1, 2, 3].map(() => linkForm(world, token, challenged)));
    const answers = await Promise.all(forms.map((form) => sendUse(world, form, home)));
    const begun = answers.filter(({ result }) => result === "submitted");
    expect(begun).toHaveLength(1);
    const late = await linkForm(world, token);
    await Promise.all([confirm(begun[0]?.action_url ?? null), sendUse(world, late, home)]);
    const [first, ...others] = (await usesOf(payment.payment_id)).reverse();
    expect(first).toMatchObject({ status: "paid" });
    // A form that comes after the confirmation is a purchase of its own.
    expect(others.every(({ status }) => status === "paid")).toBe(true);
  });

  it("is not charged by the page of an earlier use, which was declined, either", async () => {
    for (const typed of [challenged, lost]) {
      const { payment, token } = await askMany(world, member.actor);
      const earlier = await payUse(world, token, declined, home);
      const own = tokenOf(earlier.payment_url);
      await payUse(world, token, typed, home);
      const form = await formToken(world, own);
      const problem = typed === lost ? "being_checked" : "being_confirmed";
      expect(await submit(world, own, form, goodCard, home)).toMatchObject({ result: "refused", problems: [problem] });
      expect(await submit(world, own, form, goodCard, elsewhere)).toMatchObject({ result: "submitted" });
      expect(await paymentRow(world, payment.payment_id)).toMatchObject({ usesCount: 1, usesReserved: 1 });
    }
  });
});
