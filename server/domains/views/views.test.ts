// Saved views and remembered columns: whose they are, which filters they take, and how many there may be.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditEntries, users } from "@/db/tables";
import { currentUser } from "@/server/domains/users/operations/current";
import type { Actor } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { onDashboard } from "@/test/factors";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { setDisplay } from "./operations/set-display";
import { createView, ownViews, removeView, updateView } from "./operations/views";
import { listViews } from "./store";

let world: World;
let acme: TestOrganization;
let admin: Actor;
let member: Actor;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  acme = await world.organization();
  admin = onDashboard(world, acme.admin);
  member = onDashboard(world, acme.member);
});

const paid = { list: "payment_requests", name: "Paid", filters: { status: "paid,refunded" } } as const;
const viewsOf = async (actor: Actor) => (await world.call(ownViews, actor, {})).data;
const namesOf = async (actor: Actor) => (await viewsOf(actor)).map(({ name }) => name);

describe("a saved view", () => {
  test("is its user's alone", async () => {
    const view = await world.call(createView, admin, paid);
    expect(view).toEqual({ ...paid, view_id: expect.stringMatching(/^vw_/) });
    expect(await viewsOf(admin)).toEqual([view]);
    expect(await viewsOf(member)).toEqual([]);
    const { view_id } = view;
    expect(await refusalOf(world.call(updateView, member, { view_id, name: "Mine" }))).toBe("view_not_found");
    expect(await refusalOf(world.call(removeView, member, { view_id }))).toBe("view_not_found");
    expect(await viewsOf(admin)).toEqual([view]);
    await world.call(removeView, admin, { view_id });
    expect(await viewsOf(admin)).toEqual([]);
    expect(await refusalOf(world.call(removeView, admin, { view_id }))).toBe("view_not_found");
  });

  test("is renamed, and gets other filters", async () => {
    const { view_id } = await world.call(createView, admin, paid);
    await world.call(updateView, admin, { view_id, name: " Settled " });
    await world.call(updateView, admin, { view_id, filters: { status: "paid", currency: "EUR" } });
    const changed = { view_id, list: paid.list, name: "Settled", filters: { status: "paid", currency: "EUR" } };
    expect(await viewsOf(admin)).toEqual([changed]);
  });

  test("has a name of its own in its list, whatever the case, width and spaces", async () => {
    const { view_id } = await world.call(createView, admin, paid);
    for (const name of ["PAID", "Ｐaid", " paid "]) {
      expect(await refusalOf(world.call(createView, admin, { ...paid, name }))).toBe("view_name_taken");
    }
    await world.call(createView, admin, { ...paid, list: "transactions", filters: { type: "refund" } });
    const other = await world.call(createView, admin, { ...paid, name: "Late" });
    const renamed = { view_id: other.view_id, name: "paid" };
    expect(await refusalOf(world.call(updateView, admin, renamed))).toBe("view_name_taken");
    await world.call(updateView, admin, { view_id, name: "PAID" });
    expect(await namesOf(admin)).toEqual(["Late", "PAID", "Paid"]);
  });

  test.each([
    ["an unknown filter", { owner: "ada" }],
    ["an invalid value", { status: "nonsense" }],
    ["a place in the list", { cursor: "abc" }],
    ["a page size", { limit: "50" }],
    ["a repeated entry of __proto__", { "metadata[__proto__]": "x" }],
    ["a character that cannot be stored", { q: "a\u0000b" }],
    ["half a character", { reference: "\ud800" }],
    ["more text than an address should have", { reference: "x".repeat(80), q: "y".repeat(2_000) }],
    ["no filter at all", {}],
  ])("refuses %s", async (_, filters) => {
    const view = await world.call(createView, admin, paid);
    expect(await refusalOf(world.call(createView, admin, { ...paid, name: "New", filters }))).toBe("invalid_request");
    const changed = { view_id: view.view_id, filters };
    expect(await refusalOf(world.call(updateView, admin, changed))).toBe("invalid_request");
    expect(await viewsOf(admin)).toEqual([view]);
  });

  test("takes what its list takes", async () => {
    const filters = { "metadata[order]": "7", created_from: "2026-01-01", amount_min: "100", type: "refund,payment" };
    const view = await world.call(createView, admin, { list: "transactions", name: "Refunds", filters });
    expect((await viewsOf(admin))[0]).toEqual({ ...view, filters });
  });

  test.each([
    ["invoices", { credited: "true", status: "paid" }, { type: "invoice" }],
    ["subscriptions", { missed: "true", status: "active,past_due" }, { status: "paid" }],
  ] as const)("is of %s, too, with their filters alone", async (list, filters, others) => {
    const view = await world.call(createView, admin, { list, name: "Mine", filters });
    expect(await viewsOf(admin)).toEqual([view]);
    const call = world.call(createView, admin, { list, name: "Others", filters: others });
    expect(await refusalOf(call)).toBe("invalid_request");
    await world.call(setDisplay, admin, { list, columns: ["status"], rows: 50 });
    const chosen = (await world.call(currentUser, admin, {})).list_displays;
    expect(chosen[list]).toEqual({ columns: ["status"], rows: 50 });
  });

  test("is of a list that its user may see, and disappears while the user may not", async () => {
    const people = { list: "users", name: "Admins", filters: { role: "admin" } } as const;
    expect(await refusalOf(world.call(createView, member, people))).toBe("insufficient_permissions");
    const { view_id: hidden } = await world.call(createView, admin, people);
    await world.call(createView, admin, paid);
    const operator = { ...admin, role: "operator" } as Actor;
    expect(await namesOf(operator)).toEqual(["Paid"]);
    expect(await refusalOf(world.call(updateView, operator, { view_id: hidden, name: "Staff" }))).toBe(
      "view_not_found",
    );
    expect(await namesOf(admin)).toEqual(["Paid", "Admins"]);
  });
});

test("views that the role hides leave room for as many as a user may have", async () => {
  const people = { list: "users", filters: { role: "admin" } } as const;
  await world.call(createView, admin, { ...people, name: "Admins" });
  const operator = { ...admin, role: "operator" } as Actor;
  for (let count = 1; count <= limits.savedViews.perUser; count++) {
    await world.call(createView, operator, { ...paid, name: `View ${count}` });
  }
  expect(await refusalOf(world.call(createView, operator, { ...paid, name: "More" }))).toBe("too_many_views");
  expect(await namesOf(operator)).toHaveLength(limits.savedViews.perUser);
  expect(await namesOf(admin)).toHaveLength(limits.savedViews.perUser + 1);
  expect(await refusalOf(world.call(createView, admin, { ...paid, name: "More" }))).toBe("too_many_views");
});

test("of several views at once, only as many are saved as a user may have", async () => {
  for (let count = 1; count < limits.savedViews.perUser; count++) {
    await world.call(createView, admin, { ...paid, name: `View ${count}` });
  }
  const names = Array.from({ length: 8 }, (_, i) => `Last ${i}`);
  // On PostgreSQL the calls overlap only if each finds an open connection; otherwise the first is over before.
  await Promise.all(names.map(() => world.runtime.db.write((tx) => listViews(tx, acme.admin.id))));
  const racing = names.map((name) => world.call(createView, admin, { ...paid, name }));
  const outcomes = await Promise.allSettled(racing);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refusalOf(world.call(createView, admin, { ...paid, name: "More" }))).toBe("too_many_views");
  expect(await namesOf(admin)).toHaveLength(limits.savedViews.perUser);
});

test("of two views with one name at once, only one is saved", async () => {
  await Promise.all(["", ""].map(() => world.runtime.db.write((tx) => listViews(tx, acme.admin.id))));
  const both = ["Paid", "paid"].map((name) => world.call(createView, admin, { ...paid, name }));
  const outcomes = await Promise.allSettled(both);
  const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(reasons).toEqual([expect.objectContaining({ code: "view_name_taken" })]);
  expect(await viewsOf(admin)).toHaveLength(1);
});

describe("the columns of a list", () => {
  const displays = async (actor: Actor) => (await world.call(currentUser, actor, {})).list_displays;

  test("are remembered for each user and list", async () => {
    expect(await displays(admin)).toEqual({});
    await world.call(setDisplay, admin, { list: "transactions", columns: ["created", "amount"], rows: 50 });
    await world.call(setDisplay, admin, { list: "jobs", columns: ["kind"], rows: 20 });
    await world.call(setDisplay, admin, { list: "transactions", columns: ["id"], rows: 100 });
    const chosen = { transactions: { columns: ["id"], rows: 100 }, jobs: { columns: ["kind"], rows: 20 } };
    expect(await displays(admin)).toEqual(chosen);
    expect(await displays(member)).toEqual({});
  });

  test("of a list that only a newer version has are passed over", async () => {
    const display = { columns: ["id"], rows: 20 };
    const listDisplays = { users: display, payouts: display };
    const own = eq(users.id, acme.admin.id);
    await world.runtime.db.write((tx) => tx.update(users).set({ listDisplays }).where(own));
    expect(await displays(admin)).toEqual({ users: display });
  });

  test("of two lists can be chosen at once", async () => {
    const columns = ["id"];
    const lists = ["users", "accounts", "mails"] as const;
    await Promise.all(lists.map((list) => world.call(setDisplay, admin, { list, columns, rows: 20 })));
    expect(Object.keys(await displays(admin)).sort()).toEqual(["accounts", "mails", "users"]);
  });

  test("have a bound", async () => {
    for (const columns of [[], ["x".repeat(31)], ["a b"], Array.from({ length: 31 }, () => "id")]) {
      const call = world.call(setDisplay, admin, { list: "users", columns, rows: 20 });
      expect(await refusalOf(call)).toBe("invalid_request");
    }
  });
});

test("none of it is an entry of the audit log", async () => {
  const { view_id } = await world.call(createView, member, paid);
  await world.call(removeView, member, { view_id });
  await world.call(setDisplay, member, { list: "accounts", columns: ["name"], rows: 20 });
  const { read } = world.runtime.db;
  expect(await read.$count(auditEntries, eq(auditEntries.actorId, acme.member.id))).toBe(0);
});
