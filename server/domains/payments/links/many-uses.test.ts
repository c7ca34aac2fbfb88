// Declined uses that follow their link, more than one transaction changes: to another expiry, and to its cancellation.
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { payments } from "@/db/tables";
import { newId } from "@/server/kit/ids";
import { dayMs, hourMs, limits, minuteMs } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { askMany, payUse } from "@/test/link-payer";
import { cancelRequest } from "@/test/merchant";
import { card, openPage, paymentRow, payWith, tokenOf } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { newLink, paymentUrl } from "../link";
import { extendPayment } from "../operations/extend";
import { updatePaymentRequest } from "../operations/update";
import { insertPayment, type PaymentRow } from "../store";

let world: World;
let org: TestOrganization;
/** How far the organization's time is ahead, in milliseconds. */
let ahead: number;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000", LINK_USES_PER_IP: "10000" });
});
beforeEach(async () => {
  org = await world.organization();
  ahead = 0;
});
afterAll(() => world.close());

const declined = card("4000000000000002");
const challenged = card("4000002760003184");
/** One more than a transaction changes. */
const many = limits.batch.cancel + 1;

const now = () => world.clock.now() + ahead;
async function move(advance: string): Promise<void> {
  ahead = (await moveClock(world, org.admin.actor, advance)) - world.clock.now();
}

const usesOf = (linkId: string) =>
  world.runtime.db.read.select().from(payments).where(eq(payments.parentPaymentId, linkId)).orderBy(asc(payments.id));

/** A link for an hour, and uses of it that nobody pays. */
async function linkWith(count: number) {
  const expires_at = new Date(now() + hourMs).toISOString();
  const { payment, token } = await askMany(world, org.member.actor, { usage_limit: null, expires_at });
  const { payment_id } = await payUse(world, token, declined);
  const row = await paymentRow(world, payment_id);
  await world.runtime.db.write(async (tx) => {
    for (let i = 1; i < count; i++) {
      const id = newId("pay", row.createdAt + i);
      await insertPayment(tx, { ...row, id, ...newLink(world.runtime.keys, id), attemptCount: 0, lastError: null });
    }
  });
  return { id: payment.payment_id, token, expiresAt: Date.parse(expires_at) };
}

const extend = (payment_id: string, at: number) =>
  world.call(extendPayment, org.member.actor, { payment_id, expires_at: new Date(at).toISOString() });

describe("an extension of a link", () => {
  it("lets a payer who was declined before go on with the same use, and one who is confirming", async () => {
    const { payment, token } = await askMany(world, org.member.actor, {
      ...{ usage_limit: 10, expires_at: new Date(world.clock.now() + hourMs).toISOString() },
    });
    const idle = await payUse(world, token, declined);
    world.clock.advance(50 * minuteMs);
    const confirming = await payUse(world, token, { ...challenged, email: "confirming@example.com" });
    const paid = await payUse(world, token);
    world.clock.advance(10 * minuteMs);
    expect((await openPage(world, tokenOf(idle.payment_url))).state).toBe("expired");
    const until = world.clock.now() + dayMs;
    await extend(payment.payment_id, until);
    for (const { payment_id } of [idle, confirming]) {
      expect(await paymentRow(world, payment_id)).toMatchObject({ expiresAt: until });
    }
    expect((await paymentRow(world, paid.payment_id)).expiresAt).toBeLessThan(until);
    expect((await eventTypesOf(world, idle.payment_id)).slice(-2)).toEqual(["payment.expired", "payment.updated"]);
    await payWith(world, tokenOf(idle.payment_url));
    expect((await paymentRow(world, idle.payment_id)).status).toBe("paid");
    world.clock.advance(20 * minuteMs);
    await runJobs(world);
    expect((await paymentRow(world, confirming.payment_id)).status).toBe("pending");
    world.clock.advance(dayMs);
    await runJobs(world);
    expect((await paymentRow(world, confirming.payment_id)).status).toBe("expired");
  });

  it("by a change of its expiry moves its uses, too, also to an earlier one", async () => {
    const { id } = await linkWith(1);
    for (const ms of [dayMs, minuteMs]) {
      const at = world.clock.now() + ms;
      const change = { payment_id: id, expires_at: new Date(at).toISOString() };
      await world.call(updatePaymentRequest, org.member.actor, change);
      expect(await usesOf(id)).toMatchObject([{ expiresAt: at }]);
    }
  });

  it("is not needed for a single use, which can be extended alone after its link has expired", async () => {
    const { id, token } = await linkWith(1);
    const [use] = await usesOf(id);
    const own = tokenOf(paymentUrl(world.runtime, use ?? (await paymentRow(world, ""))));
    world.clock.advance(2 * hourMs);
    expect((await openPage(world, own)).state).toBe("expired");
    await extend(use?.id ?? "", world.clock.now() + hourMs);
    expect((await openPage(world, own)).state).toBe("open");
    expect((await openPage(world, token)).state).toBe("expired");
    await payWith(world, own);
    expect(await paymentRow(world, use?.id ?? "")).toMatchObject({ status: "paid" });
    expect(await paymentRow(world, id)).toMatchObject({ status: "expired", usesCount: 1 });
  });

  it.each(["extended", "changed"])("leaves a use alone whose expiry was %s alone, later or earlier", async (how) => {
    const { id, token, expiresAt } = await linkWith(3);
    const [later, earlier, follower] = await usesOf(id);
    const hoursOn = (hours: number) => expiresAt + hours * hourMs;
    const patch = (payment_id: string, at: number) =>
      world.call(updatePaymentRequest, org.member.actor, { payment_id, expires_at: new Date(at).toISOString() });
    const change = how === "extended" ? extend : patch;
    await change(later?.id ?? "", hoursOn(10));
    await patch(earlier?.id ?? "", expiresAt - minuteMs);
    for (const until of [hoursOn(2), hoursOn(5)]) await change(id, until);
    const at = async (use: PaymentRow | undefined) => (await paymentRow(world, use?.id ?? "")).expiresAt;
    expect([await at(later), await at(earlier)]).toEqual([hoursOn(10), expiresAt - minuteMs]);
    expect(await at(follower)).toBe(hoursOn(5));
    // Nor does the job move them, or a change to an earlier expiry.
    await patch(id, hoursOn(1));
    await runJobs(world);
    expect([await at(later), await at(earlier), await at(follower)]).toEqual([
      ...[hoursOn(10), expiresAt - minuteMs, hoursOn(1)],
    ]);
    expect((await openPage(world, token)).state).toBe("open");
  });

  it("leaves canceled uses, and those of other links, as they are", async () => {
    const [one, other] = [await linkWith(2), await linkWith(1)];
    const [canceled] = await usesOf(one.id);
    await cancelRequest(world, org.member.actor, canceled?.id ?? "");
    await extend(one.id, world.clock.now() + dayMs);
    const { expiresAt } = one;
    expect(await paymentRow(world, canceled?.id ?? "")).toMatchObject({ status: "canceled", expiresAt });
    expect(await usesOf(other.id)).toMatchObject([{ expiresAt: other.expiresAt }]);
  });

  it("moves more uses than one transaction does, after the clock of its organization was moved", async () => {
    await move("P30D");
    const { id } = await linkWith(many);
    await move("PT2H");
    const until = now() + dayMs;
    await extend(id, until);
    const left = (await usesOf(id)).filter(({ expiresAt }) => expiresAt !== until);
    expect(left).toHaveLength(1);
    await runJobs(world);
    for (const use of await usesOf(id)) expect(use).toMatchObject({ expiresAt: until, status: "pending" });
  });
});

it("a canceled link cancels more uses than one transaction does, at its organization's time", async () => {
  await move("P30D");
  const { id } = await linkWith(many);
  const at = now();
  await cancelRequest(world, org.admin.actor, id);
  const left = (await usesOf(id)).filter(({ status }) => status !== "canceled");
  expect(left).toHaveLength(1);
  await runJobs(world);
  for (const use of await usesOf(id)) expect(use).toMatchObject({ status: "canceled", canceledAt: at });
});
