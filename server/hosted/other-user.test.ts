// Links in a browser where somebody else is signed in: nothing happens there but signing out.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { users } from "@/db/tables";
import { changeEmail } from "@/server/domains/addresses/operations/request";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { createResetLink } from "@/server/domains/sessions/user-command";
import { currentUser } from "@/server/domains/users/operations/current";
import { askHosted } from "@/test/hosted";
import { runJobs } from "@/test/jobs";
import { type MailServer, startMailServer } from "@/test/mail-server";
import { linksTo } from "@/test/mailed-links";
import { newEmail } from "@/test/people";
import { callWith, signInByCookie } from "@/test/signing-in";
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
  org = await world.organization();
});

const next = "an entirely new passphrase";
const stateOf = async (id: string) => {
  const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, id));
  return { email: row?.email, passwordHash: row?.passwordHash };
};
const isSignedIn = (cookie: string) =>
  callWith(world, currentUser, { cookie: cookie.split("=")[1] ?? "" }, {}).then(
    () => true,
    () => false,
  );

/** A link of each kind, a form that uses it, and whose it is: nobody's, for an invitation. */
const links: Record<string, () => Promise<{ path: string; fields: Record<string, string> }>> = {
  async "a new address"() {
    const email = newEmail();
    await world.call(changeEmail, org.member.actor, { email });
    await runJobs(world);
    return { path: new URL(linksTo(server, email).at(-1) ?? "").pathname, fields: {} };
  },
  async "a new password"() {
    const url = await createResetLink(world.runtime, org.member.email);
    return { path: new URL(url).pathname, fields: { new_password: next } };
  },
  async "an invitation"() {
    const { url } = await world.call(createInvitation, org.admin.actor, { email: newEmail(), role: "viewer" });
    return { path: new URL(url ?? "").pathname, fields: { password: next } };
  },
};

describe.each(Object.keys(links))("the link of %s, where somebody else is signed in", (name) => {
  it("does nothing but say who is signed in and offer to sign out", async () => {
    const cookie = await signInByCookie(world, org.other);
    await world.call(updateUser, org.other.actor, { user_id: org.other.id, name: "Anna <Weber>" });
    const { path, fields } = (await links[name]?.()) ?? { path: "", fields: {} };
    const before = await stateOf(org.member.id);

    const shown = await askHosted(world, "GET", path, {}, { cookie, site: "cross-site" });
    expect(shown.status).toBe(200);
    expect(shown.headers["Cache-Control"]).toBe("no-store");
    expect(shown.body).toContain(`\u2068Anna &lt;Weber&gt;\u2069 (${org.other.email})`);
    expect(shown.body).not.toContain(org.member.email);
    const german = await askHosted(world, "GET", `${path}?lang=de`, {}, { cookie });
    expect(german.body).toContain("Abmelden und fortfahren");

    const used = await askHosted(world, "POST", path, fields, { cookie });
    expect([used.status, used.headers.Location]).toEqual([303, path]);
    const forged = await askHosted(world, "POST", path, { act: "sign_out" }, { cookie, site: "cross-site" });
    expect(forged.status).toBe(403);
    expect([await stateOf(org.member.id), await isSignedIn(cookie)]).toEqual([before, true]);

    const left = await askHosted(world, "POST", `${path}?lang=de`, { act: "sign_out" }, { cookie });
    expect([left.status, left.headers.Location]).toEqual([303, `${path}?lang=de`]);
    expect(left.headers["Set-Cookie"]).toMatch(/^quittance_session=; .*Max-Age=0/);
    expect(await isSignedIn(cookie)).toBe(false);
    // A second press, on a page that is out of date, uses nothing.
    expect((await askHosted(world, "POST", path, { act: "sign_out" }, { cookie })).headers.Location).toBe(path);
    expect(await stateOf(org.member.id)).toEqual(before);
    expect((await askHosted(world, "GET", path, {}, { cookie })).body).not.toContain("Sign out and continue");
    expect((await askHosted(world, "POST", path, fields, { cookie })).headers.Location).toBe(`${path}?done=1`);
  });
});

it("users use their own links while they are signed in", async () => {
  const cookie = await signInByCookie(world, org.member);
  const { path } = (await links["a new address"]?.()) ?? { path: "" };
  expect((await askHosted(world, "GET", path, {}, { cookie })).body).toContain("Confirm your new e-mail address");
  expect((await askHosted(world, "POST", path, {}, { cookie })).headers.Location).toBe(`${path}?done=1`);
});

it("links that are unknown or used do not show who is signed in", async () => {
  const cookie = await signInByCookie(world, org.other);
  const { path } = (await links["a new address"]?.()) ?? { path: "" };
  await askHosted(world, "POST", path);
  for (const each of [path, "/email/none", "/reset-password/none", "/invitation/none"]) {
    expect((await askHosted(world, "GET", each, {}, { cookie })).body).not.toContain(org.other.email);
  }
});
