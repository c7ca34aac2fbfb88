// Many payers of one reusable link at once: a limited link takes exactly as many, and nobody holds all its places.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { mails, throttles } from "@/db/tables";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { bucketOf } from "@/server/fairness/throttle";
import { Failure } from "@/server/kit/errors";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { anyFailures, askMany, linkForm, payUse, sendUse } from "@/test/link-payer";
import { cancelRequest } from "@/test/merchant";
import { expectSoundLedger } from "@/test/money";
import { card, formToken, goodCard, paymentRow, payWith, submit, tokenOf } from "@/test/payer";
import { anotherProcess, openWorld, type TestUser, type World } from "@/test/world";
import { answerChallenge } from "../operations/challenge";
import { listPaymentRequests } from "../operations/list";

let world: World;
let processes: World[];
let member: TestUser;
beforeAll(async () => {
  world = await openWorld({ ...anyFailures, LINK_USES_PER_IP: "10000" });
  processes = dialect === "postgres" ? [world, await anotherProcess(world)] : [world];
});
beforeEach(async () => {
  member = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  for (const one of processes.toReversed()) await one.close();
});

const declined = card("4000000000000002");
const challenged = card("4000002760003184");
const lost = { ...card(troubledCard), security_code: lostAnswerCode };
const overShare = { result: "refused", problems: ["too_many_unconfirmed"], action_url: null, payment_url: null };
const address = (i: number) => ({ ip: `198.51.${Math.floor(i / 250)}.${1 + (i % 250)}` });

/** The result of a call: its payment request, or the code of its refusal. */
const resultOf = (call: Promise<{ result: string }>): Promise<string> =>
  call.then(
    ({ result }) => result,
    (error: unknown) => {
      if (error instanceof Failure && error.status < 500) return error.code;
      throw error;
    },
  );

const countOf = (results: readonly string[], wanted: string) => results.filter((one) => one === wanted).length;

async function usesOf(parent_payment_id: string) {
  const { data } = await world.call(listPaymentRequests, member.actor, { parent_payment_id, limit: 100 });
  return data;
}

describe("a link limited to ten, and a hundred payers at once", () => {
  async function rush(from: (i: number) => { ip: string }) {
    const { payment, token } = await askMany(world, member.actor, { usage_limit: 10 });
    const forms = [];
    for (let i = 0; i < 100; i++) forms.push(await linkForm(world, token, { email: `p${i}@example.com` }));
    const results = await Promise.all(
      forms.map((form, i) => resultOf(sendUse(processes[i % processes.length] ?? world, form, from(i)))),
    );
    return { id: payment.payment_id, results };
  }

  it.each([
    ["from a hundred addresses", address],
    ["from one address", () => address(1)],
  ] as const)("takes exactly ten, and asks no eleventh card: %s", async (_, from) => {
    const { id, results } = await rush(from);
    expect(countOf(results, "submitted")).toBe(10);
    expect(countOf(results, "link_used_up")).toBe(90);
    expect(await paymentRow(world, id)).toMatchObject({
      ...{ status: "paid", usesCount: 10, usesReserved: 0, amountPaid: 12_500 },
    });
    const uses = await usesOf(id);
    expect(uses).toHaveLength(10);
    expect(uses.flatMap(({ transaction_ids: ids }) => ids)).toHaveLength(10);
  });
});

it("gives places of declined cards to others, also while everybody tries at once", async () => {
  const { payment, token } = await askMany(world, member.actor, { usage_limit: 5 });
  const forms = [];
  for (let i = 0; i < 40; i++) {
    forms.push(await linkForm(world, token, { email: `q${i}@example.com`, ...(i % 2 === 0 && declined) }));
  }
  await Promise.all(
    forms.map((form, i) => resultOf(sendUse(processes[i % processes.length] ?? world, form, address(i)))),
  );
  const row = await paymentRow(world, payment.payment_id);
  const uses = await usesOf(payment.payment_id);
  expect(row.usesReserved).toBe(0);
  expect(row.usesCount).toBeLessThanOrEqual(5);
  expect(row.usesCount).toBe(uses.filter(({ status }) => status === "paid").length);
});

it("never gives one place to two declined payers who try again at once", async () => {
  const { payment, token } = await askMany(world, member.actor, { usage_limit: 2 });
  const own = [];
  for (let i = 0; i < 6; i++) {
    own.push(
      tokenOf((await payUse(world, token, { ...declined, email: `r${i}@example.com` }, address(i))).payment_url),
    );
  }
  const results = await Promise.all(
    own.map((one, i) => resultOf(payWith(processes[i % processes.length] ?? world, one))),
  );
  expect(countOf(results, "submitted")).toBe(2);
  expect(countOf(results, "link_used_up")).toBe(4);
  expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "paid", usesCount: 2 });
});

it("never leaves an unpaid use open when its link is canceled while cards are declined", async () => {
  const { payment, token } = await askMany(world, member.actor, { usage_limit: null });
  const forms = [];
  for (let i = 0; i < 10; i++) forms.push(await linkForm(world, token, { ...declined, email: `s${i}@example.com` }));
  await Promise.all([
    ...forms.map((form, i) => resultOf(sendUse(processes[i % processes.length] ?? world, form, address(i)))),
    cancelRequest(processes.at(-1) ?? world, member.actor, payment.payment_id),
  ]);
  await runJobs(world);
  for (const use of await usesOf(payment.payment_id)) expect(use.status).toBe("canceled");
});

describe("one address", () => {
  it("holds at most its share of the places with cards that are not confirmed", async () => {
    const { payment, token } = await askMany(world, member.actor, { usage_limit: 10 });
    for (let i = 0; i < 2; i++) await payUse(world, token, { ...challenged, email: `z${i}@example.com` }, address(1));
    expect(await payUse(world, token, challenged, address(1))).toMatchObject(overShare);
    await payUse(world, token, {}, address(2));
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ usesCount: 1, usesReserved: 2 });
    expect(await usesOf(payment.payment_id)).toHaveLength(3);
  });

  it("holds no more for declined payers who try again", async () => {
    const { token } = await askMany(world, member.actor, { usage_limit: 10 });
    const { payment_url } = await payUse(world, token, declined, address(1));
    for (let i = 0; i < 2; i++) await payUse(world, token, { ...challenged, email: `z${i}@example.com` }, address(1));
    const own = tokenOf(payment_url);
    const form = await formToken(world, own);
    const { payment_url: _, ...problems } = overShare;
    expect(await submit(world, own, form, goodCard, address(1))).toMatchObject(problems);
    expect(await submit(world, own, form, goodCard, address(2))).toMatchObject({ result: "submitted" });
  });

  it("holds no more by charges whose answer was lost, once it should have come", async () => {
    const { token } = await askMany(world, member.actor, { usage_limit: 10 });
    for (let i = 0; i < 3; i++) await payUse(world, token, { ...lost, email: `v${i}@example.com` }, address(1));
    world.clock.advance(limits.charge.startMs);
    expect(await payUse(world, token, { email: "w@example.com" }, address(1))).toMatchObject(overShare);
    await payUse(world, token, { email: "w@example.com" }, address(2));
    world.clock.advance(31_000);
    await runJobs(world);
    await payUse(world, token, { email: "w@example.com" }, address(1));
  });

  it("holds no more by authorizations of one card, and more by those of several", async () => {
    const link = { usage_limit: 10, capture_method: "manual" } as const;
    const one = await askMany(world, member.actor, link);
    for (let i = 0; i < 2; i++) await payUse(world, one.token, {}, address(1));
    expect(await payUse(world, one.token, {}, address(1))).toMatchObject(overShare);
    const several = await askMany(world, member.actor, link);
    for (const number of ["4242424242424242", "5555555555554444", "6011111111111117", "3566002020360505"]) {
      expect(await payUse(world, several.token, card(number), address(1))).toMatchObject({ result: "submitted" });
    }
    expect(await paymentRow(world, several.payment.payment_id)).toMatchObject({ usesReserved: 4 });
  });

  it("keeps no more authorizations of one card if it sends many at once, and none that is of another", async () => {
    const { payment, token } = await askMany(world, member.actor, { usage_limit: 10, capture_method: "manual" });
    await payUse(world, token, { ...card("5555555555554444"), email: "first@example.com" }, address(1));
    const forms = [];
    for (let i = 0; i < 6; i++) forms.push(await linkForm(world, token, { email: `x${i}@example.com` }));
    await Promise.all(
      forms.map((form, i) => resultOf(sendUse(processes[i % processes.length] ?? world, form, address(1)))),
    );
    await runJobs(world);
    const uses = await usesOf(payment.payment_id);
    const held = uses.filter(({ status }) => status === "authorized").map(({ customer }) => customer?.email);
    expect(held).toContain("first@example.com");
    expect(held.length).toBeLessThanOrEqual(3);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ usesReserved: held.length });
  });

  it("keeps no more than that if it sends many such cards at once", async () => {
    const { payment, token } = await askMany(world, member.actor, { usage_limit: 10 });
    const forms = [];
    for (let i = 0; i < 10; i++)
      forms.push(await linkForm(world, token, { ...challenged, email: `t${i}@example.com` }));
    const results = await Promise.all(
      forms.map((form, i) => resultOf(sendUse(processes[i % processes.length] ?? world, form, address(1)))),
    );
    expect(countOf(results, "submitted")).toBeLessThanOrEqual(2);
    await runJobs(world);
    const row = await paymentRow(world, payment.payment_id);
    expect(row.usesReserved).toBeLessThanOrEqual(2);
    const kept = (await usesOf(payment.payment_id)).filter(({ status }) => status === "requires_action");
    expect(kept).toHaveLength(row.usesReserved);
  });

  it("begins a bounded number of uses of a link in an hour, whatever becomes of them", async () => {
    const bounded = await openWorld({ LINK_USES_PER_IP: "3" });
    const user = (await bounded.organization()).member;
    const { token } = await askMany(bounded, user.actor, { usage_limit: null });
    const other = await askMany(bounded, user.actor, { usage_limit: null });
    for (let i = 0; i < 3; i++) await payUse(bounded, token, {}, address(1));
    await expect(payUse(bounded, token, {}, address(1))).rejects.toMatchObject({ code: "rate_limited" });
    await payUse(bounded, token, {}, address(2));
    await payUse(bounded, other.token, {}, address(1));
    bounded.clock.advance(hourMs);
    await payUse(bounded, token, {}, address(1));
    await bounded.close();
  });
});

it("announces many declined cards of a link once, and its payers are not kept out", async () => {
  const { payment, token } = await askMany(world, member.actor, { usage_limit: null });
  for (let i = 0; i < limits.links.declines + 2; i++) {
    await payUse(world, token, { ...declined, email: `u${i}@example.com` }, address(i));
  }
  const events = await eventTypesOf(world, payment.payment_id);
  expect(countOf(events, "payment.many_declines")).toBe(1);
  await payUse(world, token, {}, address(1));
  expect(await paymentRow(world, payment.payment_id)).toMatchObject({
    usesCount: 1,
    manyDeclinesAt: world.clock.now(),
  });
});

it("mails the admins about many declined cards, at most once a day for each link", async () => {
  const { admin, member: asker, id } = await world.organization();
  const { token } = await askMany(world, asker.actor, { usage_limit: null, description: "Raffle tickets" });
  const { read } = world.runtime.db;
  const told = async () => {
    const rows = await read.select().from(mails).where(eq(mails.organizationId, id));
    return rows.map(({ userId, subject }) => [userId, subject]);
  };
  const tryMany = async () => {
    for (let i = 0; i < limits.links.declines; i++) {
      await payUse(world, token, { ...declined, email: `m${i}@example.com` }, address(i));
    }
  };
  await tryMany();
  const one = [admin.id, "Many card payments failed on a link of Acme"];
  expect(await told()).toEqual([one]);
  world.clock.advance(2 * hourMs);
  await tryMany();
  expect(await told()).toEqual([one]);
  world.clock.advance(dayMs);
  await tryMany();
  expect(await told()).toEqual([one, one]);
  // Strangers neither write into these mails nor use up the limit of other notices.
  const buckets = await read.select().from(throttles);
  expect(buckets.filter(({ bucket }) => bucket === bucketOf("notice_admin", admin.id))).toEqual([]);
  expect(JSON.stringify(await read.select().from(mails).where(eq(mails.organizationId, id)))).not.toContain(
    address(1).ip,
  );
});

it("announces nothing where only as many payers left their confirmations as cards may be declined", async () => {
  const { payment, token } = await askMany(world, member.actor, { usage_limit: null });
  for (let i = 0; i < limits.links.declines; i++) {
    await payUse(world, token, { ...challenged, email: `y${i}@example.com` }, address(i));
  }
  world.clock.advance(limits.charge.confirmMs);
  await runJobs(world);
  expect(await paymentRow(world, payment.payment_id)).toMatchObject({ usesReserved: 0, manyDeclinesAt: null });
});

it("confirms a place after the bank's page", async () => {
  const { payment, token } = await askMany(world, member.actor, { usage_limit: 2 });
  const { action_url } = await payUse(world, token, challenged);
  await world.call(answerChallenge, { type: "anonymous" }, { reference: tokenOf(action_url), answer: "complete" });
  expect(await paymentRow(world, payment.payment_id)).toMatchObject({ usesCount: 1, usesReserved: 0 });
});
