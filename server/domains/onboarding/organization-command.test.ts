// The command line: organizations and users, readable errors, exit codes.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { auditEntries, mails, users } from "@/db/tables";
import { login } from "@/server/domains/sessions/operations/login";
import { readMe } from "@/server/domains/sessions/operations/me";
import { readUser } from "@/server/domains/users/store";
import { createTestDatabase } from "@/test/database";
import { giveTotp } from "@/test/factors";
import { anonymous, password } from "@/test/people";
import { bundleOf } from "@/test/program";
import { callWith } from "@/test/signing-in";
import { runSql } from "@/test/statements";
import { openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const root = fileURLToPath(new URL("../../..", import.meta.url));

interface Outcome {
  exitCode: number;
  out: string;
  err: string;
}

/** Runs the program on the world's database; `typed` goes to its standard input. */
async function cli(args: string[], given: { env?: Record<string, string>; typed?: string } = {}): Promise<Outcome> {
  const program = await bundleOf("server/cli.ts");
  const env = {
    PATH: process.env.PATH ?? "",
    NODE_ENV: "test" as const,
    DATABASE_URL: world.database.url,
    SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    ...given.env,
  };
  return new Promise((resolve) => {
    const options = { cwd: root, env };
    const child = execFile(process.execPath, [program, ...args], options, (error, out, err) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), out, err });
    });
    child.stdin?.end(given.typed ?? "");
  });
}

const create = (name: string, email: string) => ["organization", "create", "--name", name, "--email", email];
const env = { QUITTANCE_PASSWORD: password };

describe("organization create", () => {
  it("creates another organization whose admin can sign in, with the password from the environment", async () => {
    const { exitCode, out } = await cli([...create("Bakery", "ada@example.com"), "--admin-name", "Ada"], { env });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/org_[0-9a-z]{26}\n.*acct_[0-9a-z]{26}\n.*usr_[0-9a-z]{26}\n/);
    expect(out).not.toContain(password);
    await world.call(login, anonymous, { email: "ada@example.com", password });
    const { read } = world.runtime.db;
    expect(await read.select().from(users)).toMatchObject([{ name: "Ada", role: "admin" }]);
    const trail = await read.select().from(auditEntries);
    expect(trail).toContainEqual(expect.objectContaining({ operation: "organizations.create", actorType: "system" }));
  });

  it("asks for the password, and accepts it from a pipe", async () => {
    const { exitCode } = await cli(create("Second", "bob@example.com"), { typed: `${password}\n` });
    expect(exitCode).toBe(0);
    await world.call(login, anonymous, { email: "bob@example.com", password });
  });

  it("names every invalid option", async () => {
    const { exitCode, err } = await cli(create(" ", "nobody"), { env: { QUITTANCE_PASSWORD: "short" } });
    expect(exitCode).toBe(1);
    for (const field of ["name:", "email:", "password:"]) expect(err).toContain(field);
    const weak = await cli(create("X", "x@example.com"), { env: { QUITTANCE_PASSWORD: "password123" } });
    expect(weak).toMatchObject({ exitCode: 1, err: expect.stringContaining("common") });
  });

  it("refuses an address that is taken", async () => {
    const { exitCode, err } = await cli(create("Third", "ADA@example.com"), { env });
    expect([exitCode, err.trim()]).toEqual([1, "email: a user already has the address ADA@example.com"]);
  });
});

describe("organization list", () => {
  it("prints one line per organization", async () => {
    const { exitCode, out } = await cli(["organization", "list"]);
    expect(exitCode).toBe(0);
    expect(out.trim().split("\n")).toEqual([
      expect.stringMatching(/^org_\w{26} {2}sandbox {2}2\S+Z {2}Bakery$/),
      expect.stringMatching(/^org_\w{26} {2}sandbox {2}2\S+Z {2}Second$/),
    ]);
  });
});

describe("users", () => {
  let org: TestOrganization;
  beforeAll(async () => {
    org = await world.organization("Acme");
  });

  it("are listed in columns", async () => {
    for (const role of ["operator", "viewer"] as const) await world.user(org.id, role);
    const { exitCode, out } = await cli(["user", "list"]);
    const lines = out.trimEnd().split("\n");
    const line = /^usr_\w{26} {2}org_\w{26} {2}(admin|member|operator|viewer) +(never|2\S+Z) +(?=\S+@\S+$)/;
    expect([exitCode, lines.length]).toEqual([0, await world.runtime.db.read.$count(users)]);
    expect(new Set(lines.map((each) => line.exec(each)?.[0].length)).size).toBe(1);
  });

  it("who are locked out get a link, and those who lost their second factors lose them, which is mailed", async () => {
    const { id, email } = org.member;
    await giveTotp(world, org.member);
    await world.runtime.db.write(async (tx) => void (await tx.delete(mails)));
    const hasFactor = async () => (await readUser(world.runtime.db.read, id))?.mfaEnabled;
    const printed = { exitCode: 0, err: "", out: expect.stringMatching(/^http\S+\/reset-password\/qtpw_\w{49}\n$/) };
    expect(await cli(["user", "reset-password", email])).toEqual(printed);
    expect(await hasFactor()).toBe(true);
    const removal = ["user", "reset-password", email, "--remove-factors"];
    expect(await cli(removal)).toEqual(printed);
    expect(await hasFactor()).toBe(false);
    const told = { text: expect.stringMatching(/second factors/i) };
    const to = async (user: TestUser) => world.runtime.db.read.select().from(mails).where(eq(mails.userId, user.id));
    expect(await to(org.member)).toMatchObject([told]);
    expect(await to(org.admin)).toMatchObject([told]);
    expect(await world.runtime.db.read.$count(mails)).toBe(2);
    expect(await cli(removal)).toEqual(printed);
    expect(await world.runtime.db.read.$count(mails)).toBe(2);
    const unknown = await cli(["user", "reset-password", "nobody@example.com", "--remove-factors"]);
    expect(unknown).toMatchObject({ exitCode: 1, err: "No user has the address nobody@example.com.\n" });
  });
});

it("never migrates: others may be using the database", async () => {
  const older = await createTestDatabase({ migrated: true });
  const recorded = dialect === "sqlite" ? "__drizzle_migrations" : "drizzle.__drizzle_migrations";
  await runSql(older.url, `delete from ${recorded}`);
  const count = () => runSql(older.url, `select count(*) as n from ${recorded}`);
  const before = await count();
  const { exitCode, err } = await cli(["organization", "list"], { env: { DATABASE_URL: older.url } });
  expect([exitCode, err]).toEqual([1, expect.stringContaining("run npm run migrate, first")]);
  expect(await count()).toEqual(before);
  await older.drop();
});

describe("misuse", () => {
  it.each([[[]], [["organization", "create"]], [["--odd"]]])("%j exits with 2 and shows the usage", async (args) => {
    const { exitCode, err } = await cli(args);
    expect(exitCode).toBe(2);
    expect(err).toContain("Usage: npm run cli");
  });

  it("shows the usage on request, and says why the database cannot be used", async () => {
    const { exitCode, out } = await cli(["--help"]);
    expect([exitCode, out]).toEqual([0, expect.stringContaining("Usage")]);
    const commands = [...readFileSync("server/cli.ts", "utf8").matchAll(/case "([a-z -]+)":/g)].map(([, name]) => name);
    expect(commands).toContain("user verify");
    for (const command of commands) expect(out).toContain(command);
    expect(out).not.toMatch(/case "|return |;$/m);
    const lost = await cli(["organization", "list"], { env: { DATABASE_URL: "postgres://u:secret@127.0.0.1:1/q" } });
    expect(lost.exitCode).toBe(1);
    expect(lost.err).toContain("The database cannot be used");
    expect(lost.err).not.toContain("secret");
  });
});

describe("api-key create", () => {
  const key = (...args: string[]) => cli(["api-key", "create", "--name", "Script", ...args]);
  const secretPattern = /^qtsk_[0-9A-Za-z]{49}\n$/;
  const meOf = (secret: string) => callWith(world, readMe, { bearer: `Bearer ${secret.trim()}` }, {});

  it("prints the secret of a key for the account of a user, and the audit log names the command line", async () => {
    const { member } = await world.organization("Keys");
    const { exitCode, out } = await key("--scopes", "payments:read,payments:write", "--account", member.email);
    expect([exitCode, out]).toEqual([0, expect.stringMatching(secretPattern)]);
    const me = await meOf(out);
    expect(me).toMatchObject({
      name: "Script",
      scopes: ["payments:read", "payments:write"],
      account_id: member.accountId,
    });
    const entries = await world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.targetId, me.id));
    expect(entries).toMatchObject([
      {
        operation: "api_keys.create_by_command",
        actorType: "system",
        actorId: null,
        organizationId: me.organization_id,
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(out.trim());
  });

  it("makes one for an account by its id, with an expiry, and one for a whole organization", async () => {
    const { id, member } = await world.organization("More keys");
    const bound = await key(
      "--scopes",
      "payments:read",
      "--account",
      member.accountId,
      "--expires",
      "2036-01-01T00:00:00Z",
    );
    expect(await meOf(bound.out)).toMatchObject({
      account_id: member.accountId,
      expires_at: "2036-01-01T00:00:00.000Z",
    });
    const whole = await key("--scopes", "audit:read", "--organization", id);
    expect(await meOf(whole.out)).toMatchObject({ account_id: null, organization_id: id });
  });

  it("names what is wrong", async () => {
    const { member } = await world.organization("Wrong keys");
    const faults: [string[], RegExp][] = [
      [["--scopes", "payments:all", "--account", member.email], /^scopes/],
      [["--scopes", "users:write", "--account", member.email], /cannot carry users:write/],
      [["--scopes", "payments:read"], /several organizations/],
      [["--scopes", "payments:read", "--organization", "org_none"], /no organization org_none/],
      [["--scopes", "payments:read", "--account", "nobody@example.com"], /no account nobody@example.com/],
      [
        ["--scopes", "payments:read", "--account", member.accountId, "--organization", "org_none"],
        /another organization/,
      ],
      [["--scopes", "payments:read", "--account", member.email, "--expires", "2020-01-01T00:00:00Z"], /in the future/],
    ];
    for (const [args, fault] of faults) {
      const { exitCode, out, err } = await key(...args);
      expect([args, exitCode, out, err]).toEqual([args, 1, "", expect.stringMatching(fault)]);
    }
    expect((await cli(["api-key", "create", "--scopes", "payments:read"])).exitCode).toBe(2);
  }, 60_000);
});
