// The list of sessions: whose sessions it shows, with which fields.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundTo } from "@/test/people";
import { bearer, callWith, makeApiKey, signInAs } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { invalidateSession } from "./invalidate";
import { listSessions } from "./list";

let world: World;
let org: TestOrganization;
let mine: Awaited<ReturnType<typeof signInAs>>[];
let theirs: Awaited<ReturnType<typeof signInAs>>;
let admin: Awaited<ReturnType<typeof signInAs>>;

type Query = {
  user_id?: string;
  status?: ("active" | "ended")[];
  limit?: number;
  cursor?: string;
  include_total?: boolean;
};
const list = (token: string, query: Query = {}) => callWith(world, listSessions, bearer(token), query);
const idsOf = ({ data }: { data: { session_id: string }[] }) => data.map(({ session_id }) => session_id);

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  mine = [];
  for (let i = 0; i < 5; i++) {
    world.clock.advance(1_000);
    mine.unshift(await signInAs(world, org.member, { device_id: `device ${i}` }));
  }
  world.clock.advance(1_000);
  theirs = await signInAs(world, org.other);
  admin = await signInAs(world, org.admin);
});
afterAll(() => world.close());

describe("200", () => {
  it("shows the caller's own sessions, newest first, and marks the current one", async () => {
    const page = await list(mine[1]?.access_token ?? "", { include_total: true });
    expect(idsOf(page)).toEqual(mine.map(({ session_id }) => session_id));
    expect(page.total_count).toBe(5);
    expect(page.data.map(({ is_current }) => is_current)).toEqual([false, true, false, false, false]);
    expect(page.data[0]).toMatchObject({
      user_id: org.member.id,
      kind: "api",
      status: "active",
      device_id: "device 4",
      ip: "203.0.113.7",
      user_agent: "test",
      ended_at: null,
    });
    expect(JSON.stringify(page)).not.toMatch(/nonce|hash|qtat_|qtrt_/);
  });

  it("pages without skipping or repeating any", async () => {
    const token = mine[0]?.access_token ?? "";
    const first = await list(token, { limit: 2 });
    const second = await list(token, { limit: 2, cursor: first.next_cursor ?? "" });
    const third = await list(token, { limit: 2, cursor: second.next_cursor ?? "", user_id: org.member.id });
    expect([first, second, third].flatMap(idsOf)).toEqual(mine.map(({ session_id }) => session_id));
    expect(third).toMatchObject({ has_more: false, next_cursor: null, total_count: null });
  });

  it("shows an admin their own sessions, and those of any user they name", async () => {
    expect(idsOf(await list(admin.access_token))).toEqual([admin.session_id]);
    expect(idsOf(await list(admin.access_token, { user_id: org.other.id }))).toEqual([theirs.session_id]);
  });

  it("shows an API key all sessions of its organization, and none to one that is bound to an account", async () => {
    const { token } = await makeApiKey(world, org.id);
    expect(idsOf(await list(token))).toHaveLength(7);
    expect(idsOf(await list(token, { user_id: org.other.id }))).toEqual([theirs.session_id]);
    const { actor } = await makeApiKey(world, org.id);
    const key = boundTo(org.other.accountId, actor);
    for (const user_id of [undefined, org.other.id, org.member.id, world.id("usr")]) {
      expect(await refusalOf(world.call(listSessions, key, { user_id }))).toBe("insufficient_permissions");
    }
  });

  it("filters by status, and shows how a session ended", async () => {
    const gone = await signInAs(world, org.member);
    await callWith(world, invalidateSession, bearer(gone.access_token), { reason: "device_lost" });
    const ended = await list(mine[0]?.access_token ?? "", { status: ["ended"] });
    expect(ended.data).toMatchObject([{ session_id: gone.session_id, end_reason: "device_lost", revoked_tokens: 2 }]);
    expect(idsOf(await list(mine[0]?.access_token ?? "", { status: ["active"] }))).toHaveLength(5);
  });
});

describe("400", () => {
  it("insufficient_permissions for a member who names anyone else, whether they exist or not", async () => {
    const token = mine[0]?.access_token ?? "";
    for (const user_id of [org.other.id, world.id("usr"), "nonsense"]) {
      expect(await refusalOf(list(token, { user_id }))).toBe("insufficient_permissions");
    }
  });

  it("user_not_found for an unknown user and another organization's alike", async () => {
    const abroad = await world.organization("Elsewhere");
    for (const user_id of [abroad.member.id, world.id("usr"), "nonsense"]) {
      expect(await refusalOf(list(admin.access_token, { user_id }))).toBe("user_not_found");
    }
  });

  it("invalid_cursor for garbage and for another list's cursor", async () => {
    const token = mine[0]?.access_token ?? "";
    const { next_cursor } = await list(token, { limit: 1 });
    expect(await refusalOf(list(token, { cursor: "garbage" }))).toBe("invalid_cursor");
    expect(await refusalOf(list(token, { cursor: next_cursor ?? "", status: ["active"] }))).toBe("invalid_cursor");
    expect(await refusalOf(list(admin.access_token, { cursor: next_cursor ?? "" }))).toBe("invalid_cursor");
  });
});
