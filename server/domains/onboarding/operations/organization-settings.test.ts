// Settings of the organization: what admins change, what it changes for others, and what the records say.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, events, organizations } from "@/db/tables";
import { enqueueMail } from "@/server/domains/mails/enqueue";
import { inBackground } from "@/server/domains/records/in-background";
import type { Actor } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { create } from "@/test/money";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { organizationSettings, updateOrganizationSettings } from "./organization-settings";

const minute = 60_000;
let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  org = await world.organization();
});

type Input = Parameters<typeof world.call<(typeof updateOrganizationSettings)["input"], never>>[2];

const read = (actor: Actor = org.admin.actor) => world.call(organizationSettings, actor, {});
const update = (input: Input, actor: Actor = org.admin.actor) => world.call(updateOrganizationSettings, actor, input);

/** A dashboard session of the user, whose last sign-in is `age` ms old. */
const browserOf = (user: TestUser, age = 0): Actor => ({
  ...(user.actor as Extract<Actor, { type: "user" }>),
  sessionId: world.id("ses"),
  sessionKind: "cookie",
  authenticatedAt: world.clock.now() - age,
});

const defaults = ["EUR", "USD", "GBP", "CHF"].map((currency) => ({ currency, amount: 100_000 }));

describe("the settings", () => {
  it("begin with nothing chosen and the server's amounts for step-up", async () => {
    expect(await read()).toEqual({
      organization_id: org.id,
      name: "Acme",
      mode: "sandbox",
      default_currency: null,
      locale: null,
      timezone: null,
      members_record_payments: false,
      require_mfa: "none",
      catch_up: "latest",
      after_lost_dispute: "wait",
      invoice_retention_years: 10,
      step_up_amounts: defaults,
      has_own_step_up_amounts: false,
      sign_up: expect.objectContaining({ policy: "open", is_set: false }),
    });
  });

  it("change as far as they are named, and are cleared by null", async () => {
    const chosen = { name: "Bakery", default_currency: "chf", locale: "de-CH", timezone: "Europe/Zurich" };
    expect(await update(chosen)).toMatchObject({ ...chosen, default_currency: "CHF" });
    expect(await update({ timezone: null })).toMatchObject({ ...chosen, default_currency: "CHF", timezone: null });
    expect(await update({})).toEqual(await read());
    const other = await world.organization();
    expect(await read(other.admin.actor)).toMatchObject({ name: "Acme", default_currency: null });
  });

  it.each<[string, Input]>([
    ["an empty name", { name: "" }],
    ["a long name", { name: "x".repeat(limits.name + 1) }],
    ["no name", { name: null as never }],
    ["a currency that has been withdrawn", { default_currency: "BGN" }],
    ["an unknown time zone", { timezone: "Mars/Olympus" }],
    ["a currency that is named twice", { step_up_amounts: [...defaults, { currency: "eur", amount: 1 }] }],
    ["an amount of nothing", { step_up_amounts: [{ currency: "EUR", amount: 0 }] }],
    ["an amount as text", { step_up_amounts: [{ currency: "EUR", amount: "1" as never }] }],
    ["an unknown rule for missed periods", { catch_up: "none" as never }],
    ["an unknown rule after lost disputes", { after_lost_dispute: "end" as never }],
    ["the mode", { mode: "live" } as never],
    ["more currencies than there are", { step_up_amounts: Array(limits.stepUpAmounts + 1).fill(defaults[0]) }],
  ])("refuse %s", async (_, input) => {
    expect(await refusalOf(update(input))).toBe("invalid_request");
  });

  it("say who may sign up, and what decides it", async () => {
    const first = await openWorld({ SIGNUP: "closed" });
    const { admin } = await first.organization();
    first.clock.advance(1);
    const later = await first.organization();
    const signUpOf = async (actor: Actor) => (await first.call(organizationSettings, actor, {})).sign_up;
    expect(await signUpOf(admin.actor)).toEqual({ policy: "closed", is_set: true, is_first: true });
    expect(await signUpOf(later.admin.actor)).toMatchObject({ is_first: false });
    await first.close();
  });

  it("say which missed periods of subscriptions are charged, and the audit log says it too", async () => {
    expect(await update({ catch_up: "all" })).toMatchObject({ catch_up: "all" });
    expect(await read()).toMatchObject({ catch_up: "all" });
    expect(await update({ name: "Bakery" })).toMatchObject({ catch_up: "all" });
    const kept = await world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.targetId, org.id));
    const detail = { fields: ["catch_up"], catch_up_before: "latest", catch_up: "all" };
    expect(kept).toContainEqual(expect.objectContaining({ detail }));
  });

  it("say what becomes of a subscription after a lost dispute, and the audit log says it too", async () => {
    expect(await update({ after_lost_dispute: "continue" })).toMatchObject({ after_lost_dispute: "continue" });
    expect(await update({ name: "Bakery" })).toMatchObject({ after_lost_dispute: "continue" });
    const kept = await world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.targetId, org.id));
    const rule = { after_lost_dispute_before: "wait", after_lost_dispute: "continue" };
    expect(kept).toContainEqual(expect.objectContaining({ detail: { fields: ["after_lost_dispute"], ...rule } }));
  });

  it("keep what two admins change at once", async () => {
    await Promise.all([update({ name: "Bakery" }), update({ timezone: "Europe/Paris" }), update({ locale: "fr" })]);
    expect(await read()).toMatchObject({ name: "Bakery", timezone: "Europe/Paris", locale: "fr" });
  });
});

describe("step-up", () => {
  it("is needed to change what members may do, which periods are charged and the amounts, but not for the rest", async () => {
    const stale = browserOf(org.admin, 11 * minute);
    expect(await refusalOf(update({ members_record_payments: true }, stale))).toBe("reauthentication_required");
    expect(await refusalOf(update({ step_up_amounts: [] }, stale))).toBe("reauthentication_required");
    expect(await refusalOf(update({ step_up_amounts: null }, stale))).toBe("reauthentication_required");
    expect(await refusalOf(update({ catch_up: "all" }, stale))).toBe("reauthentication_required");
    expect(await refusalOf(update({ after_lost_dispute: "continue" }, stale))).toBe("reauthentication_required");
    expect(await update({ name: "Bakery" }, stale)).toMatchObject({ name: "Bakery" });
    expect(await update({ members_record_payments: true }, browserOf(org.admin))).toMatchObject({
      members_record_payments: true,
    });
  });

  it("follows the organization's own amounts, and the server's again once they are cleared", async () => {
    const credit = { type: "credit", amount: 500_000, currency: "EUR", account_id: org.admin.accountId } as const;
    await create(world, org.admin.actor, credit);
    const stale = () => browserOf(org.admin, 11 * minute);
    const transfer = (amount: number, currency = "EUR") =>
      create(world, stale(), {
        ...({ type: "transfer", amount, currency, account_id: org.admin.accountId } as const),
        destination_account_id: org.member.accountId,
      });
    await update({ step_up_amounts: [{ currency: "EUR", amount: 500 }] });
    await transfer(500);
    expect(await refusalOf(transfer(501))).toBe("reauthentication_required");
    expect(await refusalOf(transfer(1, "USD"))).toBe("reauthentication_required");
    await update({ step_up_amounts: [] });
    expect(await refusalOf(transfer(1))).toBe("reauthentication_required");
    expect(await update({ step_up_amounts: null })).toMatchObject({ step_up_amounts: defaults });
    await transfer(501);
  });
});

it("members record payments in live mode once the organization lets them", async () => {
  await world.runtime.db.write(async (tx) => {
    await tx.update(organizations).set({ mode: "live" }).where(eq(organizations.id, org.id));
  });
  const record = () =>
    create(world, org.member.actor, {
      ...({ type: "payment", amount: 100, currency: "EUR", account_id: org.member.accountId } as const),
    });
  expect(await refusalOf(record())).toBe("insufficient_permissions");
  await update({ members_record_payments: true });
  expect((await record()).status).toBe("succeeded");
  await update({ members_record_payments: false });
  expect(await refusalOf(record())).toBe("insufficient_permissions");
});

it("mails are in the organization's language where the recipient has none", async () => {
  await update({ locale: "de" });
  const { subject } = await inBackground(world.runtime, "test", async (ctx) => {
    ctx.audit({ target: null });
    return enqueueMail(ctx, {
      ...{ kind: "security_notice", organizationId: org.id, to: org.admin.email, locales: [null], timezone: null },
      ...{ link: null, data: { notice: "password_changed", at: ctx.now, subject: null } },
    });
  });
  expect(subject).toContain("Ihr Passwort");
});

it("a change writes an audit entry with both amounts, and an event with the names of its fields", async () => {
  await update({ name: "Ada Lovelace", step_up_amounts: [{ currency: "EUR", amount: 5 }] });
  const { read: q } = world.runtime.db;
  const [entry] = await q.select().from(auditEntries).where(eq(auditEntries.targetId, org.id));
  expect(entry).toMatchObject({
    operation: "organizations.update",
    detail: {
      fields: ["name", "step_up_amounts"],
      step_up_amounts_before: ["EUR 100000", "USD 100000", "GBP 100000", "CHF 100000"],
      step_up_amounts: ["EUR 5"],
    },
  });
  expect(JSON.stringify(entry?.detail)).not.toContain("Lovelace");
  const [event] = await q.select().from(events).where(eq(events.objectId, org.id));
  expect(event).toMatchObject({ type: "organization.updated", data: { fields: ["name", "step_up_amounts"] } });
});
