// The page for a forgotten password, over HTTP: the same answer for every address, in both languages.
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { surfaceOf } from "@/server/http/surfaces";
import { limits } from "@/server/kit/limits";
import { askHosted } from "@/test/hosted";
import { newEmail } from "@/test/people";
import { openedWith, openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
const path = "/forgot-password";

beforeAll(async () => {
  world = await openWorld({ SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "mail@example.com" });
  org = await world.organization();
});
afterAll(() => world.close());

it("is a form without a script, which answers alike for known and unknown addresses", async () => {
  const open = await askHosted(world, "GET", path);
  expect(open.status).toBe(200);
  expect(open.body).toContain("Forgot your password?");
  expect(open.body).not.toContain("<script");
  expect((await askHosted(world, "GET", `${path}?lang=de`)).body).toContain("Passwort vergessen?");

  const answers: unknown[] = [];
  for (const email of [org.member.email, newEmail()]) {
    const { status, headers, body } = await askHosted(world, "POST", `${path}?lang=de`, { email: ` ${email} ` });
    answers.push({ status, body, headers: { ...headers, "Request-Id": "" } });
    expect([status, headers.Location]).toEqual([303, `${path}?sent=1&lang=de`]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect((await askHosted(world, "GET", `${path}?sent=1`)).body).toContain("Check your e-mail");
});

it("names what is wrong with an address, keeps it, and refuses forms of other sites", async () => {
  for (const email of ["", "ada", `${"a".repeat(300)}@example.com`, '"><b>@example.com']) {
    const refused = await askHosted(world, "POST", path, { email });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("Enter an e-mail address");
    expect(refused.body).not.toContain("<b>@");
  }
  expect((await askHosted(world, "POST", path, { email: "ada" })).body).toContain('value="ada"');
  const foreign = await askHosted(world, "POST", path, { email: newEmail() }, { site: "cross-site" });
  expect(foreign.status).toBe(403);
});

it("is not where password managers lead users who know their password: they change it in the dashboard", async () => {
  const known = "/.well-known/change-password";
  expect(surfaceOf({ url: known } as IncomingMessage)).toBe("hosted");
  const { status, headers } = await askHosted(world, "GET", known);
  expect([status, headers.Location, headers["Cache-Control"]]).toEqual([303, "/dashboard/password", "no-store"]);
  expect((await askHosted(world, "GET", "/.well-known/other")).status).toBe(404);
});

it("says when too many links were requested", async () => {
  const ask = () => askHosted(world, "POST", path, { email: newEmail() }, { ip: "198.51.100.1" });
  for (let i = 0; i < limits.resets.requestsPerHour; i++) expect((await ask()).status).toBe(303);
  const refused = await ask();
  expect([refused.status, refused.headers["Retry-After"]]).toEqual([429, "3600"]);
  expect(refused.body).toContain("Try again in an hour.");
});

it("says that no mail can be sent where no mail server is set up", async () => {
  const env = { ...world.runtime.env, mail: null };
  const silent = openedWith(world, { ...world.runtime, env });
  expect((await askHosted(silent, "GET", path)).body).toContain("No mail server is set up here.");
});
