// The page behind a reset link, over HTTP: its states in both languages. Opening it changes nothing.
import { afterAll, beforeAll, expect, it } from "vitest";
import { login } from "@/server/domains/sessions/operations/login";
import { createResetLink } from "@/server/domains/sessions/user-command";
import { giveTotp } from "@/test/factors";
import { askHosted } from "@/test/hosted";
import { callWith, givePassword } from "@/test/signing-in";
import { openWorld, type TestOrganization, type World } from "@/test/world";

const next = "an entirely new passphrase";
let world: World;
let org: TestOrganization;

const ask = (method: "GET" | "POST", url: string, fields: Record<string, string> = {}, site = "same-origin") =>
  askHosted(world, method, url, fields, { site });
const pathOf = async () => new URL(await createResetLink(world.runtime, org.member.email)).pathname;

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  await givePassword(world, org.member);
});
afterAll(() => world.close());

it("the page is a form without a script, names problems, and sets the password once", async () => {
  const path = await pathOf();
  const open = await ask("GET", path);
  expect(open.status).toBe(200);
  expect(open.body).toContain("Choose a new password");
  expect(open.body).toContain(org.member.email);
  expect(open.body).not.toContain("<script");
  expect((await ask("GET", `${path}?lang=de`)).body).toContain("Neues Passwort wählen");

  const wrong: [string, string][] = [
    ["short", "Use at least 8 characters."],
    ["x".repeat(129), "Use at most 128 characters."],
    ["Password123!", "too easy to guess"],
  ];
  for (const [password, text] of wrong) {
    const refused = await ask("POST", path, { new_password: password });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain(text);
    expect(refused.body).not.toContain(password);
  }
  expect((await ask("POST", path, { new_password: next }, "cross-site")).status).toBe(403);

  const done = await ask("POST", `${path}?lang=de`, { new_password: next });
  expect([done.status, done.headers.Location]).toEqual([303, `${path}?done=1&lang=de`]);
  expect((await ask("GET", `${path}?done=1`)).body).toContain("Your password has been changed");
  expect((await ask("GET", path)).body).toContain("This link has been used");
  expect((await ask("POST", path, { new_password: `${next} again` })).status).toBe(303);
  await callWith(world, login, {}, { email: org.member.email, password: next });
});

it("the page asks for a code of a second factor, and says who helps without one", async () => {
  const { other } = org;
  await givePassword(world, other);
  await giveTotp(world, other);
  const path = new URL(await createResetLink(world.runtime, other.email)).pathname;
  expect((await ask("GET", path)).body).toContain("an admin of your organization can remove your second factors");
  expect((await ask("GET", `${path}?lang=de`)).body).toContain("kann ein Admin Ihrer Organisation");
});

it("the page answers 404 for an unknown, replaced or expired link", async () => {
  const [first, second] = [await pathOf(), await pathOf()];
  expect((await ask("GET", second)).status).toBe(200);
  world.clock.advance(30 * 60_000);
  for (const path of [first, second, "/reset-password/none", `/reset-password/${"x".repeat(300)}`]) {
    expect((await ask("GET", path)).status).toBe(404);
  }
  expect((await ask("GET", second)).body).toContain("This link is no longer valid");
});
