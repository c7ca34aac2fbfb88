// Reset links by mail: the same answer for every address, limits that hold, and a link that only the mail carries.
import { and, eq, gte } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, jobs, mails, tables, throttles, users } from "@/db/tables";
import { runJobs } from "@/test/jobs";
import { type MailServer, startMailServer } from "@/test/mail-server";
import { linksTo, subjectsTo, tokenIn } from "@/test/mailed-links";
import { newEmail } from "@/test/people";
import { bearer, callWith, signInAs } from "@/test/signing-in";
import { anotherProcess, openedWith, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { requestReset, sendReset } from "./request-reset";
import { resetPassword, viewReset } from "./reset-password";

const minute = 60_000;
const hour = 60 * minute;
const next = "an entirely new passphrase";

let server: MailServer;
let world: World;
let org: TestOrganization;

const ask = (email: string, ip = "203.0.113.7") => callWith(world, requestReset, { ip }, { email });
const linksOf = async (email: string) => {
  await runJobs(world);
  return linksTo(server, email);
};
const entriesOf = (since = world.clock.now()) =>
  world.runtime.db.read
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.operation, "users.requestReset"), gte(auditEntries.createdAt, since)));
const stateOf = async (token: string) => (await callWith(world, viewReset, {}, { token })).state;

beforeAll(async () => {
  server = await startMailServer();
  world = await openWorld({ SMTP_URL: server.url, MAIL_FROM: "mail@example.com" });
});
afterAll(async () => {
  await world.close();
  await server.close();
});
beforeEach(async () => {
  world.clock.advance(hour);
  server.arrived = [];
  org = await world.organization();
});

describe("a request", () => {
  it("mails a link that sets a password, and then a notice", async () => {
    await ask(org.member.email.toUpperCase());
    const [url] = await linksOf(org.member.email);
    expect(url).toMatch(/^http:\/\/localhost:3000\/reset-password\/qtpw_[0-9A-Za-z]{49}$/);
    const token = tokenIn(url);
    for (const table of Object.values(tables)) {
      expect(JSON.stringify(await world.runtime.db.read.select().from(table)).includes(token.slice(5))).toBe(false);
    }
    await callWith(world, resetPassword, {}, { token, new_password: next });
    await runJobs(world);
    expect(subjectsTo(server, org.member.email)).toEqual([
      "Reset your password for Acme",
      "Your password for Acme was changed",
    ]);
  });

  it("answers and writes alike for an unknown address, which gets no mail", async () => {
    const email = newEmail();
    expect(await ask(email)).toEqual(await ask(org.member.email));
    expect(await entriesOf()).toEqual([]);
    const waiting = await world.runtime.db.read.select().from(jobs).where(eq(jobs.kind, "users.mail_reset"));
    // Somebody waits for it, so it does not queue behind bulk jobs.
    const expected = { organizationId: "", status: "waiting", priority: 0 };
    expect(waiting).toMatchObject([expected, expected]);
    expect(await linksOf(email)).toEqual([]);
    expect(await world.runtime.db.read.$count(jobs, eq(jobs.kind, "users.mail_reset"))).toBe(0);
    expect((await entriesOf()).map(({ targetId }) => targetId)).toEqual([org.member.id]);
  });

  it("mails an address three links an hour, of which only the newest works", async () => {
    for (let i = 0; i < 4; i++) await ask(org.member.email, `198.51.100.${i}`);
    const tokens = (await linksOf(org.member.email)).map(tokenIn);
    // All were due at once; a link that was replaced before its mail was sent is not sent.
    expect(tokens.length).toBeLessThanOrEqual(3);
    const written = await world.runtime.db.read.$count(mails, eq(mails.userId, org.member.id));
    expect(written).toBe(3);
    const states = await Promise.all(tokens.map(stateOf));
    expect(states.filter((state) => state === "open")).toHaveLength(1);
    world.clock.advance(hour);
    await ask(org.member.email);
    expect((await linksOf(org.member.email)).length).toBe(tokens.length + 1);
  });

  it("is refused after twenty from an address block in an hour, in every process", async () => {
    const second = await anotherProcess(world);
    const from = (process: World, i: number) =>
      callWith(process, requestReset, { ip: `2001:db8:1:2::${i}` }, { email: newEmail() });
    try {
      const calls = Array.from({ length: 24 }, (_, i) => from(i % 2 === 0 ? world : second, i + 1));
      const done = (await Promise.allSettled(calls)).filter(({ status }) => status === "fulfilled");
      expect(done).toHaveLength(20);
      expect(await refusalOf(from(second, 99))).toBe("rate_limited");
    } finally {
      await second.close();
    }
    await callWith(world, requestReset, { ip: "2001:db8:1:3::1" }, { email: newEmail() });
    await runJobs(world);
  });

  it("of a user who was removed meanwhile mails nothing", async () => {
    await ask(org.member.email);
    const removed = { status: "removed", emailKey: null, removedAt: world.clock.now() } as const;
    await world.runtime.db.write(
      async (tx) => void (await tx.update(users).set(removed).where(eq(users.id, org.member.id))),
    );
    expect(await linksOf(org.member.email)).toEqual([]);
  });

  it("that has waited for as long as a link is valid mails nothing, and its job ends", async () => {
    await ask(org.member.email);
    world.clock.advance(30 * minute);
    expect(await linksOf(org.member.email)).toEqual([]);
    expect(await world.runtime.db.read.$count(jobs, eq(jobs.kind, "users.mail_reset"))).toBe(0);
  });

  it("leaves the mail held where no mail server is set up", async () => {
    const env = { ...world.runtime.env, mail: null };
    const silent = openedWith(world, { ...world.runtime, env });
    await ask(org.member.email);
    await runJobs(silent);
    const [row] = await world.runtime.db.read.select().from(mails).where(eq(mails.userId, org.member.id));
    expect(row).toMatchObject({ kind: "reset_password", status: "held" });
  });
});

describe("an admin", () => {
  const send = async (user: { id: string }) => {
    const { access_token } = await signInAs(world, org.admin);
    return callWith(world, sendReset, bearer(access_token), { user_id: user.id });
  };

  it("is not kept from it by strangers who ask for the address", async () => {
    for (let i = 0; i < 4; i++) await ask(org.member.email, `198.51.100.${i}`);
    await runJobs(world);
    expect(await send(org.member)).toEqual({ user_id: org.member.id });
  });

  it("has a link mailed to a user, at most three an hour", async () => {
    for (let i = 0; i < 3; i++) expect(await send(org.member)).toEqual({ user_id: org.member.id });
    expect(await refusalOf(send(org.member))).toBe("rate_limited");
    const urls = await linksOf(org.member.email);
    expect(await stateOf(tokenIn(urls.at(-1)))).toBe("open");
  });

  it("reaches only users of the organization, and only with a mail server", async () => {
    const foreign = await world.organization();
    expect(await refusalOf(send(foreign.member))).toBe("user_not_found");
    const env = { ...world.runtime.env, mail: null };
    const silent = openedWith(world, { ...world.runtime, env });
    const refused = silent.call(sendReset, org.admin.actor, { user_id: org.member.id });
    expect(await refusalOf(refused)).toBe("mail_server_missing");
  });
});

it("counters do not contain the address", async () => {
  await ask(org.member.email);
  await runJobs(world);
  expect(JSON.stringify(await world.runtime.db.read.select().from(throttles))).not.toContain(org.member.email);
});
