// The pages on which people become users, over HTTP: their states in both languages. Opening one changes nothing.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import { revokeInvitation } from "@/server/domains/invitations/operations/revoke";
import { dayMs, limits } from "@/server/kit/limits";
import { askHosted } from "@/test/hosted";
import { newEmail, password, signIn } from "@/test/people";
import { openedWith, openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;

beforeAll(async () => {
  world = await openWorld({ SIGNUP: "open" });
  org = await world.organization();
});
afterAll(() => world.close());

const invite = async (given: object = {}) => {
  const invitation = { email: newEmail(), role: "viewer", ...given } as const;
  const made = await world.call(createInvitation, org.admin.actor, invitation);
  return { ...made, path: new URL(made.url ?? "").pathname };
};

it("an invitation is a form without a script, in its language, which accepts once", async () => {
  const { email, path } = await invite({ name: 'Grace "G" <Hopper>' });
  const open = await askHosted(world, "GET", path);
  expect(open.status).toBe(200);
  for (const text of ["Join Acme", "You are invited as a viewer", email, "Grace &quot;G&quot; &lt;Hopper&gt;"]) {
    expect(open.body).toContain(text);
  }
  expect(open.body).not.toContain("<script");
  expect((await askHosted(world, "GET", `${path}?lang=de`)).body).toContain("Acme beitreten");
  expect((await askHosted(world, "GET", (await invite({ locale: "de" })).path)).body).toContain("Acme beitreten");

  const foreign = await askHosted(world, "POST", path, { password }, { site: "cross-site" });
  expect(foreign.status).toBe(403);
  const done = await askHosted(world, "POST", `${path}?lang=de`, { password, name: " Grace " });
  expect([done.status, done.headers.Location]).toEqual([303, `${path}?done=1&lang=de`]);
  expect((await askHosted(world, "GET", `${path}?done=1`)).body).toContain("You have joined");
  expect((await askHosted(world, "GET", path)).body).toContain("This invitation has been accepted");
  expect((await askHosted(world, "POST", path, { password })).status).toBe(303);
  await signIn(world, email);
});

it("names what is wrong, keeps the name, and sends no password back", async () => {
  const { path } = await invite();
  const wrong: [fields: Record<string, string>, text: string][] = [
    [{ password: "short" }, "Use at least 8 characters."],
    [{ password: "x".repeat(129) }, "Use at most 128 characters."],
    [{ password: "Password123!" }, "too easy to guess"],
    [{ password, name: "n".repeat(121) }, "Use at most 120 characters"],
  ];
  for (const [fields, text] of wrong) {
    const refused = await askHosted(world, "POST", path, { name: "Kept", ...fields });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain(text);
    expect(refused.body).toContain(`value="${fields.name ?? "Kept"}"`);
    expect(refused.body).not.toContain(fields.password);
  }
});

it("an invitation says so when it was revoked, is unknown or has expired", async () => {
  const [revoked, late] = [await invite(), await invite()];
  await world.call(revokeInvitation, org.admin.actor, { invitation_id: revoked.invitation_id });
  for (const path of [revoked.path, "/invitation/none", `/invitation/${"x".repeat(180)}`]) {
    const gone = await askHosted(world, "GET", path);
    expect([gone.status, gone.body?.includes("This invitation is not valid")]).toEqual([404, true]);
  }
  world.clock.advance(limits.invitationDays * dayMs);
  const expired = await askHosted(world, "GET", late.path);
  expect([expired.status, expired.body?.includes("This invitation has expired")]).toEqual([404, true]);
  expect((await askHosted(world, "POST", late.path, { password })).headers.Location).toBe(late.path);
});

it("sign-up answers alike for a new address and for one that has a user", async () => {
  const open = await askHosted(world, "GET", "/sign-up?lang=de");
  expect([open.status, open.body?.includes("Acme beitreten")]).toEqual([200, true]);
  const fresh = newEmail();
  const answers: unknown[] = [];
  for (const email of [fresh, org.member.email]) {
    const { status, headers, body } = await askHosted(world, "POST", "/sign-up", { email: ` ${email} `, password });
    answers.push({ status, body, headers: { ...headers, "Request-Id": "" } });
    expect([status, headers.Location]).toEqual([303, "/sign-up?done=1"]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect((await askHosted(world, "GET", "/sign-up?done=1")).body).toContain("You can sign in now");
  await signIn(world, fresh);
  const wrong = await askHosted(world, "POST", "/sign-up", { email: '"><b>ada', password });
  expect([wrong.status, wrong.body?.includes("Enter an e-mail address")]).toEqual([400, true]);
  expect(wrong.body).not.toContain("<b>ada");
});

it("sign-up is counted by address, and says when it is closed", async () => {
  const ask = () => askHosted(world, "POST", "/sign-up", { email: org.member.email, password }, { ip: "198.51.100.9" });
  for (let i = 0; i < world.runtime.env.signupsPerIp; i++) expect((await ask()).status).toBe(303);
  const refused = await ask();
  expect([refused.status, refused.body?.includes("Try again in an hour")]).toEqual([429, true]);
  for (const signup of ["invite", "closed"] as const) {
    const closed = openedWith(world, { ...world.runtime, env: { ...world.runtime.env, signup } });
    const page = await askHosted(closed, "GET", "/sign-up");
    expect([page.status, page.body?.includes("Sign-up is closed")]).toEqual([404, true]);
    expect((await askHosted(closed, "POST", "/sign-up", { email: newEmail(), password })).status).toBe(303);
  }
});
