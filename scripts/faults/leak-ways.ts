// The ways in which secrets leave the server by mail and as second factors, for the hunt for leaks.
import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "@/e2e/api";
import { signIn } from "@/e2e/api";
import { memberPassword, newEmail, type Person, succeeded } from "@/e2e/contract/people";
import { dashboardOf, setUpApp, shownCode } from "@/e2e/factors";
import { firstAdmin, type TestServer } from "@/e2e/server";
import { type MailServer, startMailServer } from "@/test/mail-server";
import { linksTo, tokenIn } from "@/test/mailed-links";

/** Of the mail server; only the setting SMTP_URL has it. */
export const smtpPassword = "never-to-be-logged-5521";

const mailWithinMs = 20_000;

export interface Scene {
  server: TestServer;
  api: Api;
  mail: LeakMail;
  /** Someone who has just signed up and in. */
  member: Person;
  /** Keeps a text that a caller saw, under a name that says where. */
  keep: (name: string, text: string) => void;
}

/** A mail server that can refuse logins. */
interface LeakMail extends MailServer {
  login: { isRefused: boolean };
}

export async function startLeakMail(): Promise<LeakMail> {
  const login = { isRefused: false };
  const server = await startMailServer({
    onAuth: (_auth, _session, callback) =>
      login.isRefused ? callback(new Error("5.7.8 Wrong user or password")) : callback(null, { user: "ada" }),
  });
  return Object.assign(server, { url: `smtp://ada:${smtpPassword}@127.0.0.1:${server.port}`, login });
}

/** Sends test mails, with and without a refused login, and reads what the dashboard says of them. */
export async function useMailServer({ server, mail, keep }: Scene): Promise<string[]> {
  const call = await dashboardOf(server.url, firstAdmin.email, firstAdmin.password);
  for (const isRefused of [true, false]) {
    mail.login.isRefused = isRefused;
    keep(`test mail ${isRefused}`, JSON.stringify(await call("mails.test", {})));
  }
  return [];
}

/** Confirms the member's address with the link that was mailed. */
export async function useMailedLink({ mail, member, keep }: Scene): Promise<string[]> {
  const link = await linkTo(mail, member.email);
  keep("e-mail page", await followLink(link, {}));
  return [tokenIn(link)];
}

/** Invites two persons. One accepts by mail, the other by the link to hand over. */
export async function useInvitation({ api, mail, keep }: Scene): Promise<string[]> {
  const { access_token: token } = await signIn(api);
  const links: string[] = [];
  for (const way of ["mailed", "handed over"]) {
    const email = newEmail();
    const made = succeeded(
      await api<{ url: string }>("POST", "/v1/invitations", { token, body: { email, role: "member" } }),
    );
    const mailed = await linkTo(mail, email);
    links.push(made.url, mailed);
    keep(`${way} invitation`, await followLink(way === "mailed" ? mailed : made.url, { password: memberPassword }));
  }
  keep("invitations", (await api("GET", "/v1/invitations", { token })).text);
  keep("mails", (await api("GET", "/v1/mails", { token })).text);
  return links.map(tokenIn);
}

/** Sets up an authenticator app, signs in with its code and a recovery code, and sends both where they do not belong. */
export async function useSecondFactor({ server, api, member, keep }: Scene): Promise<string[]> {
  const call = await dashboardOf(server.url, member.email, memberPassword);
  const { key, recoveryCodes } = await setUpApp(call);
  const signInWith = (otp: string, password = memberPassword) =>
    api("POST", "/v1/auth/login", { body: { email: member.email, password, otp } });
  const [first = "", second = ""] = recoveryCodes;
  for (const otp of [shownCode(key, 1), first]) succeeded(await signInWith(otp));
  const refused = [signInWith(first), signInWith(key), signInWith("", second), signInWith(second, key)];
  keep("refused codes", (await Promise.all(refused)).map(({ text }) => text).join("\n"));
  return [key, ...recoveryCodes];
}

/** Opens the page behind a link and submits its form. Returns both pages, without the link's own token. */
async function followLink(link: string, fields: Record<string, string>): Promise<string> {
  const page = await (await fetch(link)).text();
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1];
  const answer = await fetch(link, {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ ...fields, ...(form_token && { form_token }) }),
  });
  if (!answer.ok) throw new Error(`The page behind a mailed link answered ${answer.status}.`);
  return (page + (await answer.text())).replaceAll(tokenIn(link), "");
}

async function linkTo(mail: MailServer, address: string): Promise<string> {
  for (const end = performance.now() + mailWithinMs; performance.now() < end; await sleep(100)) {
    const link = linksTo(mail, address).at(-1);
    if (link) return link;
  }
  throw new Error(`No mail with a link arrived for ${address}.`);
}
