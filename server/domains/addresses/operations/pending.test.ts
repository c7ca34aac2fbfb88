// A pending change of the address: shown to its user only, and canceled.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runJobs } from "@/test/jobs";
import { type MailServer, startMailServer } from "@/test/mail-server";
import { linksTo, tokenIn } from "@/test/mailed-links";
import { newEmail } from "@/test/people";
import { callWith, givePassword } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { cancelEmailChange, pendingEmail } from "./pending";
import { changeEmail } from "./request";
import { useEmailLink, viewEmailLink } from "./use-link";

const day = 86_400_000;

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

const ask = (email: string) => world.call(changeEmail, org.member.actor, { email });
const cancel = () => world.call(cancelEmailChange, org.member.actor, {});
const pending = async ({ actor } = org.member) => (await world.call(pendingEmail, actor, {})).pending;
const tokenTo = async (address: string) => {
  await runJobs(world);
  return tokenIn(linksTo(server, address).at(-1));
};
const use = (token: string) => callWith(world, useEmailLink, {}, { token });
const stateOf = async (token: string) => (await callWith(world, viewEmailLink, {}, { token })).state;

it("is shown to its user until it is used, replaced, void or too old", async () => {
  expect(await pending()).toBeNull();
  const [first, second] = [newEmail(), newEmail()];
  await ask(first);
  const expires_at = new Date(world.clock.now() + day).toISOString();
  expect(await pending()).toEqual({ email: first, expires_at });
  expect(await pending(org.other)).toBeNull();
  await ask(second);
  expect(await pending()).toMatchObject({ email: second });
  await use(await tokenTo(second));
  expect(await pending()).toBeNull();

  await ask(newEmail());
  await givePassword(world, org.member);
  expect(await pending()).toBeNull();
  await ask(newEmail());
  world.clock.advance(day);
  expect(await pending()).toBeNull();
});

it("looks the same for an address that somebody has", async () => {
  await ask(org.other.email);
  expect(await pending()).toMatchObject({ email: org.other.email });
});

it("is canceled, which ends its link and no other, and may be repeated", async () => {
  const email = newEmail();
  await ask(email);
  const token = await tokenTo(email);
  await world.call(changeEmail, org.other.actor, { email: newEmail() });
  expect(await cancel()).toEqual({ user_id: org.member.id });
  expect([await pending(), await stateOf(token)]).toEqual([null, "expired"]);
  expect(await refusalOf(use(token))).toBe("email_link_invalid");
  expect(await pending(org.other)).not.toBeNull();
  expect(await cancel()).toEqual({ user_id: org.member.id });
});

it("is canceled or used, never both", async () => {
  const email = newEmail();
  await ask(email);
  const token = await tokenTo(email);
  const [first, , second] = await Promise.allSettled([use(token), cancel(), use(token), cancel()]);
  const isUsed = first.status === "fulfilled" || second.status === "fulfilled";
  expect(await pending()).toBeNull();
  expect(await stateOf(token)).toBe(isUsed ? "used" : "expired");
});
