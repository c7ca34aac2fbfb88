// The page behind a link about an e-mail address, over HTTP: its states in both languages. Opening it changes nothing.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { users } from "@/db/tables";
import { changeEmail, sendVerification } from "@/server/domains/addresses/operations/request";
import { giveTotp } from "@/test/factors";
import { askHosted } from "@/test/hosted";
import { runJobs } from "@/test/jobs";
import { type MailServer, startMailServer } from "@/test/mail-server";
import { linksTo } from "@/test/mailed-links";
import { newEmail } from "@/test/people";
import { signInByCookie } from "@/test/signing-in";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let server: MailServer;
let world: World;
let org: TestOrganization;
beforeAll(async () => {
  server = await startMailServer();
  world = await openWorld({ SMTP_URL: server.url, MAIL_FROM: "mail@example.com" });
});
afterAll(async () => {
  await world.close();
  await server.close();
});
beforeEach(async () => {
  world.clock.advance(3_600_000);
  server.arrived = [];
  org = await world.organization();
});

const pathTo = async (address: string) => {
  await runJobs(world);
  return new URL(linksTo(server, address).at(-1) ?? "").pathname;
};
const addressNow = async () => {
  const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, org.member.id));
  return row?.email;
};

it("confirms a new address by POST alone, and undoes the change from the old one", async () => {
  const email = newEmail();
  await world.call(changeEmail, org.member.actor, { email });
  const path = await pathTo(email);
  const open = await askHosted(world, "GET", path);
  expect([open.status, await addressNow()]).toEqual([200, org.member.email]);
  expect(open.body).toContain("Confirm your new e-mail address");
  expect(open.body).toContain(email);
  expect(open.body).not.toContain("<script");
  expect((await askHosted(world, "GET", `${path}?lang=de`)).body).toContain("Neue E-Mail-Adresse bestätigen");
  expect((await askHosted(world, "POST", path, {}, { site: "cross-site" })).status).toBe(403);
  expect(await addressNow()).toBe(org.member.email);

  const done = await askHosted(world, "POST", `${path}?lang=de`);
  expect([done.status, done.headers.Location]).toEqual([303, `${path}?done=1&lang=de`]);
  expect(await addressNow()).toBe(email);
  expect((await askHosted(world, "GET", `${path}?done=1`)).body).toContain("Your e-mail address has been changed");
  expect((await askHosted(world, "GET", path)).body).toContain("This link has been used");

  const undo = await pathTo(org.member.email);
  const asked = await askHosted(world, "GET", undo);
  expect(asked.body).toContain("Undo the change of your e-mail address?");
  expect((await askHosted(world, "POST", undo)).headers.Location).toBe(`${undo}?done=1`);
  expect(await addressNow()).toBe(org.member.email);
  expect((await askHosted(world, "GET", `${undo}?done=1`)).body).toContain('href="/forgot-password"');
});

it("says that an address is taken, and answers 404 for an unknown or expired link", async () => {
  await world.call(changeEmail, org.member.actor, { email: org.other.email });
  const path = await pathTo(org.other.email);
  expect((await askHosted(world, "GET", path)).body).toContain("This address cannot be used");
  expect((await askHosted(world, "POST", path)).headers.Location).toBe(path);
  world.clock.advance(86_400_000);
  for (const each of [path, "/email/none", `/email/${"x".repeat(190)}`]) {
    const page = await askHosted(world, "GET", each);
    expect(page.status).toBe(404);
    expect(page.body).toContain("This link is no longer valid");
  }
});

it.each(["keeps", "removes"])("%s second factors, depending on whether the user is signed in there", async (effect) => {
  const { member } = org;
  const set = { emailVerifiedAt: null };
  await world.runtime.db.write((tx) => tx.update(users).set(set).where(eq(users.id, member.id)).then());
  const cookie = await signInByCookie(world, member);
  await giveTotp(world, member);
  await world.call(sendVerification, member.actor, {});
  const path = await pathTo(member.email);
  await askHosted(world, "POST", path, {}, effect === "keeps" ? { cookie } : {});
  const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, member.id));
  expect(row).toMatchObject({ mfaEnabled: effect === "keeps", emailVerifiedAt: world.clock.now() });
});
