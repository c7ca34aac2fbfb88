// The first start: an admin from the environment or a one-time link, also when two processes start together.
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { accounts, auditEntries, organizations, users } from "@/db/tables";
import { login } from "@/server/domains/sessions/operations/login";
import { EnvError, parseEnv } from "@/server/process/env";
import { openRuntime, type Runtime } from "@/server/process/runtime";
import { anonymous, password } from "@/test/people";
import { performAs } from "@/test/perform-as";
import { callRequest, openWorld, refusalOf, type World } from "@/test/world";
import { bootstrap } from "./bootstrap";
import { setUpInstance } from "./operations/setup";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function emptyWorld(settings: Record<string, string> = {}): Promise<World> {
  const world = await openWorld({ APP_URL: "https://pay.example.com", ...settings });
  closers.push(() => world.close());
  return world;
}

const admin = { ADMIN_EMAIL: "Root@Example.com", ADMIN_PASSWORD: password };
const everything = async ({ db: { read } }: Runtime) => ({
  organizations: await read.select().from(organizations),
  users: await read.select().from(users),
  accounts: await read.select().from(accounts),
});

describe("with ADMIN_EMAIL", () => {
  it("creates a sandbox organization, a business account named after it, and the admin who owns it", async () => {
    const world = await emptyWorld(admin);
    expect(await bootstrap(world.runtime)).toBeNull();
    const made = await everything(world.runtime);
    const [organization] = made.organizations;
    expect(made.organizations).toMatchObject([{ name: "My organization", mode: "sandbox" }]);
    expect(made.users).toMatchObject([{ email: "Root@Example.com", emailKey: "root@example.com", role: "admin" }]);
    expect(made.accounts).toMatchObject([
      {
        id: made.users[0]?.accountId,
        name: "My organization",
        accountType: "business",
        status: "open",
        ownerUserId: made.users[0]?.id,
        organizationId: organization?.id,
      },
    ]);
    const trail = await world.runtime.db.read.select().from(auditEntries);
    expect(trail).toMatchObject([{ operation: "organizations.bootstrap", actorType: "system" }]);
    await world.call(login, anonymous, { email: "root@example.com", password });
  });

  it("does nothing at the next start, even with other variables", async () => {
    const world = await emptyWorld(admin);
    await bootstrap(world.runtime);
    const before = await everything(world.runtime);
    const env = { ...world.runtime.env, admin: { email: "other@example.com", password: "password123" } };
    expect(await bootstrap({ ...world.runtime, env })).toBeNull();
    expect(await everything(world.runtime)).toEqual(before);
  });

  it("refuses a common password, names the variable, and creates nothing", async () => {
    const world = await emptyWorld({ ...admin, ADMIN_PASSWORD: "password123" });
    await expect(bootstrap(world.runtime)).rejects.toThrow(EnvError);
    await expect(bootstrap(world.runtime)).rejects.toThrow(/ADMIN_PASSWORD/);
    expect((await everything(world.runtime)).organizations).toEqual([]);
  });

  it("creates one organization when two processes start at the same time", async () => {
    const world = await emptyWorld(admin);
    const second = await openRuntime(world.runtime.env, world.clock);
    closers.push(() => second.close());
    await Promise.all([bootstrap(world.runtime), bootstrap(second), bootstrap(world.runtime), bootstrap(second)]);
    const made = await everything(world.runtime);
    expect([made.organizations.length, made.users.length, made.accounts.length]).toEqual([1, 1, 1]);
  });
});

describe("without ADMIN_EMAIL", () => {
  const setup = (token: string, more: Record<string, unknown> = {}) => ({
    token,
    organization_name: "Bakery",
    email: "ada@example.com",
    password,
    ...more,
  });
  const linkOf = async (world: World) => (await bootstrap(world.runtime)) ?? "";
  const tokenOf = async (world: World) => new URL(await linkOf(world)).searchParams.get("token") ?? "";

  it("returns a link that stays the same until it is used", async () => {
    const world = await emptyWorld();
    const link = await linkOf(world);
    expect(link).toMatch(/^https:\/\/pay\.example\.com\/setup\?token=qtsu_[0-9A-Za-z]{49}$/);
    expect(await linkOf(world)).toBe(link);
    expect((await everything(world.runtime)).organizations).toEqual([]);
  });

  it("returns a different link for each database, even under the same key", async () => {
    const [world, other] = [await emptyWorld(), await emptyWorld()];
    const [token, foreign] = [await tokenOf(world), await tokenOf(other)];
    expect(foreign).not.toBe(token);
    expect(await refusalOf(world.call(setUpInstance, anonymous, setup(foreign)))).toBe("invalid_setup_token");
    await world.call(setUpInstance, anonymous, setup(token));
  });

  it("returns the same link to two processes that start at the same time", async () => {
    const world = await emptyWorld();
    const second = await openRuntime(world.runtime.env, world.clock);
    closers.push(() => second.close());
    const links = await Promise.all([bootstrap(world.runtime), bootstrap(second), bootstrap(world.runtime)]);
    expect(new Set(links).size).toBe(1);
  });

  it("sets the instance up through the link once, then refuses permanently", async () => {
    const world = await emptyWorld();
    const token = await tokenOf(world);
    const made = await world.call(setUpInstance, anonymous, setup(token, { name: "Ada" }));
    const { read } = world.runtime.db;
    expect(await read.select().from(users)).toMatchObject([
      {
        id: made.user_id,
        name: "Ada",
        role: "admin",
        emailVerifiedAt: world.clock.now(),
        accountId: made.account_id,
        organizationId: made.organization_id,
      },
    ]);
    expect(await read.select().from(accounts)).toMatchObject([{ name: "Bakery", accountType: "business" }]);
    expect(await bootstrap(world.runtime)).toBeNull();
    const again = setup(token, { email: "eve@example.com" });
    expect(await refusalOf(world.call(setUpInstance, anonymous, again))).toBe("setup_completed");
    await world.call(login, anonymous, { email: "ada@example.com", password });
  });

  it.each([
    ["Europe/Vienna", "Europe/Vienna"],
    ["Europe/Atlantis", null],
    [undefined, null],
  ])("takes the time zone of the admin's browser, if it is known: %s", async (timezone, expected) => {
    const world = await emptyWorld();
    await world.call(setUpInstance, anonymous, setup(await tokenOf(world), { timezone }));
    expect((await everything(world.runtime)).organizations).toMatchObject([{ timezone: expected }]);
  });

  it("still refuses after the only user is removed", async () => {
    const world = await emptyWorld();
    const token = await tokenOf(world);
    const { user_id } = await world.call(setUpInstance, anonymous, setup(token));
    await world.runtime.db.write(async (tx) => {
      const gone = { status: "removed", emailKey: null, removedAt: world.clock.now() } as const;
      await tx.update(users).set(gone).where(eq(users.id, user_id));
    });
    expect(await refusalOf(world.call(setUpInstance, anonymous, setup(token)))).toBe("setup_completed");
  });

  it("succeeds for one of many concurrent uses of the link", async () => {
    const world = await emptyWorld();
    const token = await tokenOf(world);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        world.call(setUpInstance, anonymous, setup(token, { email: `admin${i}@example.com` })),
      ),
    );
    const refusals = results.filter((result) => result.status === "rejected");
    expect(refusals).toHaveLength(7);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: "setup_completed" });
    const made = await everything(world.runtime);
    expect([made.organizations.length, made.users.length, made.accounts.length]).toEqual([1, 1, 1]);
  });

  it("refuses a wrong token, a token of another key, a weak password and wrong fields", async () => {
    const world = await emptyWorld();
    const other = await emptyWorld({ SECRET_KEY: Buffer.alloc(32, 9).toString("base64") });
    const token = await tokenOf(world);
    const refused = (input: ReturnType<typeof setup>) => refusalOf(world.call(setUpInstance, anonymous, input));
    for (const wrong of ["", "qtsu_x", `${token.slice(0, -1)}~`, await tokenOf(other), token.replace("qtsu", "qtat")]) {
      expect(await refused(setup(wrong))).toBe("invalid_setup_token");
    }
    expect(await refused(setup(token, { password: "password123" }))).toBe("weak_password");
    expect(await refused(setup(token, { password: "short" }))).toBe("invalid_request");
    expect(await refused(setup(token, { organization_name: " " }))).toBe("invalid_request");
    expect((await everything(world.runtime)).organizations).toEqual([]);
  });

  it("accepts the token of an older key after the key was replaced", async () => {
    const [older, newer] = [7, 9].map((byte) => Buffer.alloc(32, byte).toString("base64"));
    const world = await emptyWorld({ SECRET_KEY: older ?? "" });
    const token = await tokenOf(world);
    const keys = { SECRET_KEY: `${newer},${older}` };
    const env = parseEnv({ ...keys, DATABASE_URL: world.database.url, APP_URL: world.runtime.env.appUrl });
    const later = await openRuntime({ ...env, logLevel: "silent" }, world.clock);
    closers.push(() => later.close());
    expect(await bootstrap(later)).not.toContain(token);
    const input = setup(token);
    await performAs(setUpInstance, input, anonymous, callRequest(later), later);
  });
});
