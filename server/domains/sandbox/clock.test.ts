// The sandbox clock: who moves it how far, what it makes due, and that one jump equals many small ones.
import { and, asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, events, organizations } from "@/db/tables";
import { getPayment } from "@/server/domains/payments/operations/get";
import { timeline } from "@/server/domains/timeline/operations/timeline";
import { getTransaction } from "@/server/domains/transactions/operations/get";
import { dayMs, limits, minuteMs } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { ask, card, goodCard, payWith, transactionsOf } from "@/test/payer";
import { newEmail } from "@/test/people";
import { moveClock } from "@/test/sandbox-clock";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { sandboxClock } from "./operations/clock";
import { moveSandboxClock } from "./operations/move-clock";

let world: World;
let acme: TestOrganization;
let admin: TestOrganization["admin"]["actor"];
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
  admin = acme.admin.actor;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const inDays = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString();
const read = () => world.call(sandboxClock, admin, {});
const get = async (payment_id: string) => world.call(getPayment, admin, { payment_id });
const eventsOf = async (objectId: string) => {
  const rows = await world.runtime.db.read
    .select()
    .from(events)
    .where(eq(events.objectId, objectId))
    .orderBy(asc(events.sequence));
  return rows.map(({ type, createdAt }) => [type, (createdAt - world.clock.now()) / dayMs]);
};

describe("the clock", () => {
  it("shows the real time until it is moved, by a duration or to an instant", async () => {
    const start = world.clock.now();
    expect(await read()).toEqual({ now: new Date(start).toISOString(), offset_ms: 0, running: false });
    await moveClock(world, admin, "P7D");
    expect(await read()).toMatchObject({ offset_ms: 7 * dayMs });
    await world.call(moveSandboxClock, admin, { set: inDays(9) });
    expect(await read()).toEqual({ now: inDays(9), offset_ms: 9 * dayMs, running: false });
    world.clock.advance(minuteMs);
    expect((await read()).now).toBe(inDays(9));
    const rows = await world.runtime.db.read
      .select({ detail: auditEntries.detail })
      .from(auditEntries)
      .where(and(eq(auditEntries.organizationId, acme.id), eq(auditEntries.operation, "sandbox.moveClock")));
    expect(rows.map(({ detail }) => detail)).toContainEqual({
      from: new Date(start).toISOString(),
      to: new Date(start + 7 * dayMs).toISOString(),
    });
  });

  it("moves only forward, a year at a time and twenty years in all", async () => {
    const move = (given: object) => refusalOf(world.call(moveSandboxClock, admin, given));
    expect(await move({ set: inDays(-1) })).toBe("clock_backwards");
    expect(await move({ advance: "P367D" })).toBe("invalid_request");
    expect(await move({ set: inDays(367) })).toBe("invalid_request");
    expect(await move({})).toBe("invalid_request");
    expect(await move({ advance: "P1D", set: inDays(1) })).toBe("invalid_request");
    for (let year = 0; year < limits.sandboxClock.years; year++) await moveClock(world, admin, "P365D");
    // Twenty years have five leap days.
    await moveClock(world, admin, "P5D");
    expect(await move({ advance: "PT1S" })).toBe("clock_limit");
    expect((await read()).offset_ms).toBe((20 * 365 + 5) * dayMs);
  });

  it("belongs to one organization", async () => {
    const other = await world.organization();
    await moveClock(world, admin, "P1D");
    expect(await world.call(sandboxClock, other.admin.actor, {})).toMatchObject({ offset_ms: 0 });
  });

  it("is moved by admins alone, and does not exist in live mode", async () => {
    const [viewer, operator] = [await world.user(acme.id, "viewer"), await world.user(acme.id, "operator")];
    for (const { actor } of [viewer, operator, acme.member]) {
      expect(await refusalOf(world.call(moveSandboxClock, actor, { advance: "P1D" }))).toBe("insufficient_permissions");
    }
    expect(await world.call(sandboxClock, viewer.actor, {})).toMatchObject({ offset_ms: 0 });
    await world.runtime.db.write(async (tx) => {
      await tx.update(organizations).set({ mode: "live" }).where(eq(organizations.id, acme.id));
    });
    expect(await refusalOf(read())).toBe("unknown_path");
    expect(await refusalOf(world.call(moveSandboxClock, admin, { advance: "P1D" }))).toBe("unknown_path");
  });
});

describe("what becomes due", () => {
  it("happens at its own instant: reminders, then the expiry", async () => {
    const customer = { name: "Grace", email: newEmail() };
    const given = { expires_at: inDays(10), customer, reminders: { offsets_days: [-3, -1] } };
    const { payment } = await ask(world, acme.member.actor, given);
    const mornings = payment.reminders?.map(({ planned_at }) => planned_at ?? "") ?? [];
    expect(mornings.map((at) => at.slice(10))).toEqual(["T09:00:00.000Z", "T09:00:00.000Z"]);
    const daysTo = (at: string | undefined) => (Date.parse(at ?? "") - Date.parse(payment.created_at)) / dayMs;
    await moveClock(world, admin, "P30D");
    expect(await eventsOf(payment.payment_id)).toEqual([
      ["payment.created", 0],
      ["payment.reminder_sent", daysTo(mornings[0])],
      ["payment.reminder_sent", daysTo(mornings[1])],
      ["payment.expired", 10],
    ]);
    const seen = await get(payment.payment_id);
    expect(seen).toMatchObject({ status: "expired", updated_at: inDays(10) });
    expect(seen.reminders?.map(({ sent_at }) => sent_at)).toEqual(mornings);
  });

  it("includes the end of a hold, of a confirmation, and a late answer", async () => {
    const hold = await ask(world, admin, { capture_method: "manual" });
    await payWith(world, hold.token, goodCard);
    const asked = await ask(world, admin);
    await payWith(world, asked.token, card("4000002760003184"));
    const lost = await ask(world, admin);
    await payWith(world, lost.token, { ...goodCard, card_number: "4000000000000119", security_code: "998" });
    await moveClock(world, admin, "P8D");
    const transactionOf = async (id: string) => {
      const [row] = await transactionsOf(world, id);
      const { status, settledAt } = row ?? {};
      return [status, ((settledAt ?? 0) - world.clock.now()) / minuteMs];
    };
    expect(await transactionOf(hold.payment.payment_id)).toEqual(["expired", limits.captureDays * 24 * 60]);
    expect(await transactionOf(asked.payment.payment_id)).toEqual(["failed", limits.charge.confirmMs / minuteMs]);
    expect(await transactionOf(lost.payment.payment_id)).toEqual(["succeeded", 5_000 / minuteMs]);
    expect((await get(hold.payment.payment_id)).status).toBe("expired");
  });

  it("is what payers and merchants see from then on", async () => {
    await moveClock(world, admin, "P100D");
    const { payment, token } = await ask(world, admin, { expires_at: inDays(101) });
    expect(payment.created_at).toBe(inDays(100));
    await payWith(world, token);
    const paid = await get(payment.payment_id);
    expect(paid).toMatchObject({ status: "paid", paid_at: inDays(100) });
    const [row] = await transactionsOf(world, payment.payment_id);
    const transaction = await world.call(getTransaction, admin, { transaction_id: row?.id ?? "" });
    expect(transaction).toMatchObject({ created_at: inDays(100), settled_at: inDays(100) });
    expect(await eventsOf(payment.payment_id)).toContainEqual(["payment.paid", 100]);
  });

  it("keeps in the history who did what", async () => {
    await moveClock(world, admin, "P100D");
    const { payment } = await ask(world, admin);
    const { data } = await world.call(timeline, admin, { object_id: payment.payment_id });
    expect(data).toMatchObject([{ type: "payment.created", created_at: inDays(100), actor: { type: "user" } }]);
  });

  it("refuses a test card that has expired by then", async () => {
    for (let year = 0; year < 5; year++) await moveClock(world, admin, "P366D");
    const { token } = await ask(world, admin);
    expect(await payWith(world, token)).toMatchObject({ result: "refused", problems: ["expiry_past"] });
  });

  it("that lies ahead comes as much sooner in real time", async () => {
    const { payment } = await ask(world, admin, { expires_at: inDays(10) });
    await moveClock(world, admin, "P9D");
    expect((await get(payment.payment_id)).status).toBe("pending");
    world.clock.advance(dayMs);
    await runJobs(world);
    expect((await eventsOf(payment.payment_id)).at(-1)).toEqual(["payment.expired", 9]);
  });
});
