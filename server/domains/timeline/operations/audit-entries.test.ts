// The audit log: who sees which entries, filters, pages, personal values before and after, the file.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditChanges, auditEntries } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { createPayment } from "@/server/domains/payments/operations/create";
import { hashOfChange } from "@/server/domains/records/changes";
import { login } from "@/server/domains/sessions/operations/login";
import type { Actor } from "@/server/kit/context";
import type { Download } from "@/server/kit/download";
import { removeUserOf } from "@/test/closing";
import { anonymous, apiKey, callWith, newPerson } from "@/test/people";
import { givePassword } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { exportAuditEntries, listAuditEntries } from "./audit-entries";
import { auditTargets } from "./audit-targets";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  foreign = await world.organization("Globex");
});
beforeEach(() => world.clock.advance(1_000));
afterAll(() => world.close());

type Input = (typeof listAuditEntries)["input"]["_zod"]["input"];
const list = (input: Input = {}, actor: Actor = org.admin.actor) => world.call(listAuditEntries, actor, input);
const entriesOf = async (input: Input) => (await list(input)).data;
const rename = (account_name: string, given = {}) =>
  world.call(updateAccount, org.member.actor, { account_id: org.member.accountId, account_name, ...given });

describe("an entry", () => {
  it("says who did what, where and when, with personal values before and after", async () => {
    const { actor, accountId } = org.member;
    const before = await rename("Before");
    world.clock.advance(1_000);
    const input = { account_id: accountId, account_name: "After", metadata: { a: "1" } };
    const request = { ip: "192.0.2.9", userAgent: "till/1", requestId: "req_rename" };
    await world.call(updateAccount, actor, input, request);
    const [entry] = await entriesOf({ target_id: accountId });
    expect(entry).toEqual({
      audit_entry_id: expect.stringMatching(/^aud_/),
      actor: { type: "user", id: org.member.id, name: expect.stringMatching(/^User /) },
      ...{ action: "accounts.update", target_id: accountId },
      detail: {
        fields: ["account_name", "metadata"],
        changes: { account_name: { before: before.account_name, after: "After" } },
      },
      ...{ ip: "192.0.2.9", user_agent: "till/1", request_id: "req_rename" },
      created_at: new Date(world.clock.now()).toISOString(),
    });
  });

  it("itself has only salted hashes of personal values, which prove the values beside it", async () => {
    await rename("Secret name");
    const [entry] = await entriesOf({ target_id: org.member.accountId });
    const id = entry?.audit_entry_id ?? "";
    const [row] = await world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.id, id));
    const [change] = await world.runtime.db.read.select().from(auditChanges).where(eq(auditChanges.entryId, id));
    expect(JSON.stringify(row)).not.toContain("Secret name");
    if (!change) throw new Error("No values were stored.");
    expect(row?.detail["changes"]).toEqual({ account_name: hashOfChange(change) });
    expect(hashOfChange({ ...change, after: "Other" })).not.toBe(hashOfChange(change));
  });

  it("loses the personal values of a removed user, and the name, but stays", async () => {
    const person = await newPerson(world, org.admin.actor);
    await world.call(updateUser, person.actor, { user_id: person.userId, name: "Forgotten" });
    await removeUserOf(world, org.admin.actor, person.userId);
    const entries = await entriesOf({ actor_id: person.userId });
    const update = entries.find(({ action }) => action === "users.update");
    expect(update?.actor).toEqual({ type: "user", id: person.userId, name: null });
    expect(update?.detail["changes"]).toEqual({ name: { before: null, after: null } });
    const rows = await world.runtime.db.read.select().from(auditChanges);
    expect(JSON.stringify(rows)).not.toContain("Forgotten");
    expect(rows.filter(({ subjectId }) => subjectId === person.userId).map(({ salt }) => salt)).toEqual([null]);
  });

  it("keeps the address and the user agent of a removed user", async () => {
    const person = await newPerson(world, org.admin.actor);
    const from = { ip: "192.0.2.77", userAgent: "phone/1" };
    await world.call(updateUser, person.actor, { user_id: person.userId, name: "Leaving" }, from);
    await removeUserOf(world, org.admin.actor, person.userId);
    const update = (await entriesOf({ actor_id: person.userId })).find(({ action }) => action === "users.update");
    expect(update).toMatchObject({ ip: from.ip, user_agent: from.userAgent });
  });

  it("names an API key, and operations in snake case", async () => {
    const key = await apiKey(world, org.id, ["audit:read", "accounts:write"]);
    const [made] = await entriesOf({ target_id: key.id });
    expect(made).toMatchObject({ action: "api_keys.create", actor: { type: "user", id: org.admin.id } });
    await callWith(world, updateAccount, key.token, { account_id: org.other.accountId, account_name: "By key" });
    const [used] = (await callWith(world, listAuditEntries, key.token, { actor_id: key.id })).data;
    expect(used).toMatchObject({ action: "accounts.update", actor: { type: "api_key", id: key.id, name: "Test" } });
  });
});

describe("the list", () => {
  it("is paged, newest first", async () => {
    for (const name of ["One", "Two", "Three"]) {
      await rename(name);
      world.clock.advance(1_000);
    }
    const input = { target_id: org.member.accountId, limit: 2 };
    const first = await list({ ...input, include_total: true });
    const rest = await list({ ...input, cursor: first.next_cursor ?? "" });
    const times = [...first.data, ...rest.data].map(({ created_at }) => created_at);
    expect(times).toHaveLength(4);
    expect(times).toEqual([...times].sort().reverse());
    expect(first.total_count).toBeGreaterThanOrEqual(4);
    expect(await refusalOf(list({ target_id: org.other.accountId, cursor: first.next_cursor ?? "" }))).toBe(
      "invalid_cursor",
    );
  });

  it("filters by actor, action, target, time and text", async () => {
    const from = new Date(world.clock.now()).toISOString();
    const key = await apiKey(world, org.id, ["accounts:read"]);
    world.clock.advance(1_000);
    await rename("Filtered");
    const actionsOf = async (input: Input) => (await entriesOf({ created_from: from, ...input })).map((e) => e.action);
    expect(await actionsOf({})).toEqual(["accounts.update", "api_keys.create"]);
    expect(await actionsOf({ actor_id: org.member.id })).toEqual(["accounts.update"]);
    expect(await actionsOf({ action: "api_keys.create" })).toEqual(["api_keys.create"]);
    expect(await actionsOf({ action: "apiKeys.create" })).toEqual(["api_keys.create"]);
    expect(await actionsOf({ action: "api_keys" })).toEqual([]);
    expect(await actionsOf({ target_id: key.id })).toEqual(["api_keys.create"]);
    expect(await actionsOf({ created_to: new Date(world.clock.now()).toISOString() })).toEqual(["api_keys.create"]);
    for (const q of ["api_keys", "API_KEYS.cre", "apiKeys", key.id])
      expect(await actionsOf({ q })).toEqual(["api_keys.create"]);
    expect(await actionsOf({ q: org.member.id })).toEqual(["accounts.update"]);
    for (const q of ["keys", "%", "_", "203.0.113"]) expect(await actionsOf({ q })).toEqual([]);
  });

  it("is only of the organization: others see neither its entries nor its keys' names", async () => {
    await rename("Ours");
    const theirs = await list({ limit: 100 }, foreign.admin.actor);
    const ours = (await list({ limit: 100 })).data.map(({ audit_entry_id }) => audit_entry_id);
    expect(theirs.data.filter(({ audit_entry_id }) => ours.includes(audit_entry_id))).toEqual([]);
    expect(await list({ target_id: org.member.accountId }, foreign.admin.actor)).toMatchObject({ data: [] });
  });

  it("has refused sign-ins and refused calls of the organization's users", async () => {
    await givePassword(world, org.other);
    const wrong = { email: org.other.email, password: "not the password" };
    expect(await refusalOf(world.call(login, anonymous, wrong))).toBe("invalid_credentials");
    world.clock.advance(1_000);
    expect(await refusalOf(list({}, org.other.actor))).toBe("insufficient_permissions");
    const [call, signIn] = await entriesOf({});
    expect(signIn).toMatchObject({
      ...{ action: "sessions.login", target_id: org.other.id, detail: { outcome: "invalid_credentials" } },
      actor: { type: "anonymous", id: null, name: null },
    });
    expect(call).toMatchObject({
      ...{ action: "audit_entries.list", detail: { outcome: "insufficient_permissions" } },
      actor: { type: "user", id: org.other.id },
    });
  });

  it("has what belongs to no organization only while there is no other one", async () => {
    const nobody = { email: "nobody@example.com", password: "not the password" };
    await refusalOf(world.call(login, anonymous, nobody));
    expect((await entriesOf({ action: "sessions.login" })).map(({ target_id }) => target_id)).not.toContain(null);
    const alone = await openWorld();
    try {
      const { admin } = await alone.organization();
      await refusalOf(alone.call(login, anonymous, nobody));
      const { data } = await alone.call(listAuditEntries, admin.actor, { action: "sessions.login" });
      expect(data).toMatchObject([{ target_id: null, detail: { outcome: "invalid_credentials" } }]);
    } finally {
      await alone.close();
    }
  });
});

describe("what entries are about", () => {
  const namesOf = async (...target_ids: string[]) =>
    (await world.call(auditTargets, org.admin.actor, { target_ids })).data.map(({ name }) => name);

  it("is named where it has a name and belongs to the organization", async () => {
    const { member, admin } = org;
    await rename("Corner shop");
    const key = await apiKey(world, org.id, ["accounts:read"]);
    const asked = { account_id: member.accountId, type: "product" as const, amount: 100, currency: "EUR" };
    const { payment_id } = await world.call(createPayment, member.actor, { ...asked, description: "Ticket" });
    const invite = { email: "ada@example.com", role: "member" as const };
    const { invitation_id } = await world.call(createInvitation, admin.actor, invite);
    expect(await namesOf(member.accountId)).toEqual(["Corner shop"]);
    expect(await namesOf(key.id)).toEqual(["Test"]);
    expect(await namesOf(payment_id)).toEqual(["Ticket"]);
    expect(await namesOf(invitation_id)).toEqual(["ada@example.com"]);
    expect(await namesOf(org.id, member.id, member.accountId)).toHaveLength(3);
    expect(await namesOf(foreign.id, foreign.member.id, foreign.member.accountId, "ses_1", "nonsense")).toEqual([]);
  });

  it("has no name once the user is removed", async () => {
    const { userId } = await newPerson(world, org.admin.actor);
    expect(await namesOf(userId)).toHaveLength(1);
    await removeUserOf(world, org.admin.actor, userId);
    expect(await namesOf(userId)).toEqual([]);
  });
});

describe("the file", () => {
  const linesOf = async (file: Download) => {
    let text = "";
    for await (const chunk of file.chunks) text += chunk;
    file.close();
    return text.trimEnd().split("\r\n");
  };

  it("has one line for each match, and is an entry itself", async () => {
    await rename("=HYPERLINK(1)");
    const filters = { target_id: org.member.accountId };
    const { total_count: total } = await list({ ...filters, include_total: true });
    const file = (await world.call(exportAuditEntries, org.admin.actor, filters)) as Download;
    expect(file.headers["Content-Disposition"]).toMatch(/audit-log-2026-\d\d-\d\d\.csv/);
    const lines = await linesOf(file);
    expect(lines[0]).toMatch(/^audit_entry_id,created_at,actor_type,actor_id,actor_name,action,/);
    expect(lines).toHaveLength((total ?? 0) + 1);
    expect(lines[1]).toContain("accounts.update");
    const [entry] = await entriesOf({ action: "audit_entries.export" });
    expect(entry).toMatchObject({ target_id: org.id, detail: { parameters: ["target_id"] } });
    const german = { ...filters, spreadsheet_locale: "de" };
    const [head] = await linesOf((await world.call(exportAuditEntries, org.admin.actor, german)) as Download);
    expect(head).toMatch(/^\u{FEFF}audit_entry_id;created_at;/u);
  });
});
