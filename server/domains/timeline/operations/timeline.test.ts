// Timelines: which events they contain, in which order, who acted, and who may see them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPayment } from "@/server/domains/payments/operations/create";
import { getPayment } from "@/server/domains/payments/operations/get";
import type { Actor } from "@/server/kit/context";
import { cancelRequest } from "@/test/merchant";
import { create, earn } from "@/test/money";
import { ask, card, payWith } from "@/test/payer";
import { apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { timeline } from "./timeline";

let world: World;
let acme: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  [acme, other] = [await world.organization(), await world.organization("Other")];
});
beforeEach(() => world.clock.advance(1000));
afterAll(() => world.close());

const declined = card("4000 0000 0000 0002");
const of = (actor: Actor, object_id: string, page: object = {}) => world.call(timeline, actor, { object_id, ...page });
const typesOf = async (actor: Actor, id: string) => (await of(actor, id)).data.map(({ type }) => type);

/** A member's payment request that was declined once, then paid, with a second between steps. */
async function paidAtSecondTry() {
  const { payment, token } = await ask(world, acme.member.actor);
  world.clock.advance(1000);
  await payWith(world, token, declined);
  world.clock.advance(1000);
  await payWith(world, token);
  return payment.payment_id;
}

describe("a payment request's timeline", () => {
  it("has its events and those of its transactions, newest first", async () => {
    const id = await paidAtSecondTry();
    const { data } = await of(acme.member.actor, id);
    expect(data.map(({ type }) => type)).toEqual([
      ...["payment.paid", "payment.processing"],
      ...["transaction.succeeded", "transaction.created"],
      ...["payment.attempt_failed", "payment.processing"],
      ...["transaction.failed", "transaction.created"],
      "payment.created",
    ]);
    const own = data.filter(({ object_id }) => object_id === id).map(({ sequence }) => sequence);
    expect(own).toEqual([5, 4, 3, 2, 1]);
    const { transaction_ids } = await world.call(getPayment, acme.member.actor, { payment_id: id });
    expect(new Set(data.map(({ object_id }) => object_id))).toEqual(new Set([id, ...transaction_ids]));
    expect(data[0]?.data).toMatchObject({ payment_id: id, status: "paid", previous_status: "processing" });
  });

  it("is paged without losing or repeating events", async () => {
    const id = await paidAtSecondTry();
    const whole = (await of(acme.member.actor, id)).data.map(({ event_id }) => event_id);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await of(acme.member.actor, id, { limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...page.data.map(({ event_id }) => event_id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen.sort()).toEqual(whole.sort());
    const { next_cursor } = await of(acme.member.actor, id, { limit: 2 });
    const elsewhere = await paidAtSecondTry();
    expect(await refusalOf(of(acme.member.actor, elsewhere, { cursor: next_cursor }))).toBe("invalid_cursor");
  });

  it("shows who acted, but only to admins", async () => {
    const key = await apiKey(world, acme.id, ["payments:write"]);
    const request = { type: "product", amount: 900, currency: "EUR", account_id: acme.member.accountId } as const;
    const { payment_id } = await world.call(createPayment, key.actor, request);
    world.clock.advance(1000);
    await cancelRequest(world, acme.member.actor, payment_id);
    const actors = async (actor: Actor) => (await of(actor, payment_id)).data.map((event) => event.actor);
    expect(await actors(acme.admin.actor)).toEqual([
      { type: "user", name: `User ${acme.member.id.slice(-4)}` },
      { type: "api_key", name: "Test" },
    ]);
    expect(await actors(acme.member.actor)).toEqual([null, null]);

    const paid = await of(acme.admin.actor, await paidAtSecondTry());
    expect(paid.data[0]?.actor).toEqual({ type: "anonymous", name: null });
    expect(paid.data.find(({ type }) => type === "transaction.succeeded")?.actor?.type).toBe("anonymous");
    expect(paid.data.at(-1)?.actor?.type).toBe("user");
  });
});

describe("a transaction's and an account's timeline", () => {
  it("has only its own events", async () => {
    const { transaction_id } = await earn(world, acme.member, 500);
    expect(await typesOf(acme.member.actor, transaction_id)).toEqual(["transaction.succeeded", "transaction.created"]);
    expect(await typesOf(acme.admin.actor, acme.member.accountId)).toEqual([]);
  });

  it("is visible from both ends of a transfer", async () => {
    await earn(world, acme.member, 500);
    const { transaction_id } = await create(world, acme.member.actor, {
      type: "transfer",
      amount: 100,
      currency: "EUR",
      destination_account_id: acme.other.accountId,
    });
    expect(await typesOf(acme.other.actor, transaction_id)).toEqual(await typesOf(acme.member.actor, transaction_id));
  });
});

describe("an object out of scope", () => {
  it("is answered like one that does not exist", async () => {
    const { payment } = await ask(world, acme.member.actor);
    const { transaction_id } = await earn(world, acme.member, 500);
    for (const id of [payment.payment_id, transaction_id, acme.member.accountId]) {
      for (const stranger of [acme.other.actor, other.admin.actor, other.member.actor]) {
        expect(await refusalOf(of(stranger, id))).toBe("object_not_found");
      }
    }
    for (const id of [world.id("pay"), world.id("txn"), world.id("acct"), world.id("usr"), "pay_", "nonsense", ""]) {
      expect(await refusalOf(of(acme.admin.actor, id))).toBe("object_not_found");
    }
  });
});
