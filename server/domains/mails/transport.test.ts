// Connections to the mail server: no password without TLS, no unknown certificate, no endless wait.
import { afterEach, describe, expect, it } from "vitest";
import { parseEnv } from "@/server/process/env";
import { mintToken } from "@/server/secrets/secret";
import { type MailServer, refusal, startMailServer } from "@/test/mail-server";
import { type Outgoing, sendMail } from "./transport";

const mail: Outgoing = {
  ...{ messageId: "<mai_1@localhost>", fromName: null, replyTo: null, to: "grace@example.com" },
  ...{ subject: "Hello", text: "Hello", html: "<p>Hello</p>" },
};

let server: MailServer;
afterEach(() => server.close());

function settings(url: string, more: Record<string, string> = {}) {
  const { mail: parsed } = parseEnv({ SMTP_URL: url, MAIL_FROM: "Quittance <mail@example.com>", ...more });
  if (parsed === null) throw new Error("No mail server is set.");
  return parsed;
}

/** Reaches this machine, but is not a loopback address by its name. */
const elsewhere = "0.0.0.0";

describe("a password", () => {
  it("signs in", async () => {
    server = await startMailServer({ authOptional: false });
    expect(await sendMail(settings(`smtp://ada:secret@127.0.0.1:${server.port}`), mail)).toMatchObject({
      isSent: true,
    });
    expect(server.arrived).toHaveLength(1);
  });

  it("that is wrong fails with the server's answer, and the mail is tried again", async () => {
    server = await startMailServer({ authOptional: false });
    const outcome = await sendMail(settings(`smtp://ada:wrong@127.0.0.1:${server.port}`), mail);
    expect(outcome).toEqual({ isSent: false, answer: "535 5.7.8 Wrong user or password", isFinal: false });
    expect(JSON.stringify(outcome)).not.toContain("wrong@");
  });

  it("is not sent where TLS is not offered, except to this machine", async () => {
    let isAsked = false;
    server = await startMailServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, callback) => {
        isAsked = true;
        callback(null, { user: "ada" });
      },
    });
    const outcome = await sendMail(settings(`smtp://ada:secret@${elsewhere}:${server.port}`), mail);
    expect(outcome).toMatchObject({ isSent: false, isFinal: false });
    expect([isAsked, server.arrived]).toEqual([false, []]);
    expect(await sendMail(settings(`smtp://ada:secret@127.0.0.1:${server.port}`), mail)).toMatchObject({
      isSent: true,
    });
  });
});

describe("TLS", () => {
  it("is required of a server on another machine, with and without a password, unless the operator allows otherwise", async () => {
    server = await startMailServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
    const [plain, withPassword] = ["", "ada:secret@"].map((login) => `smtp://${login}${elsewhere}:${server.port}`);
    const allowed = { SMTP_PLAINTEXT: "allow" };
    for (const [url = "", more] of [[plain], [withPassword], [withPassword, allowed]] as const) {
      expect(await sendMail(settings(url, more), mail)).toMatchObject({ isSent: false, isFinal: false });
    }
    expect(server.arrived).toEqual([]);
    expect(await sendMail(settings(plain ?? "", allowed), mail)).toMatchObject({ isSent: true });
    expect(await sendMail(settings(`smtp://127.0.0.1:${server.port}`), mail)).toMatchObject({ isSent: true });
  });

  it("that is stripped from what the server offers is not done without", async () => {
    server = await startMailServer({ hideSTARTTLS: true, disabledCommands: ["STARTTLS"] });
    const outcome = await sendMail(settings(`smtp://${elsewhere}:${server.port}`), mail);
    expect(outcome).toMatchObject({ isSent: false, isFinal: false });
    expect(server.arrived).toEqual([]);
  });

  it("with an untrusted certificate is refused, and nothing is sent in the clear instead", async () => {
    server = await startMailServer();
    const outcome = await sendMail(settings(`smtp://${elsewhere}:${server.port}`), mail);
    expect(outcome).toEqual({ isSent: false, answer: expect.stringContaining("certificate"), isFinal: false });
    expect(server.arrived).toEqual([]);
  });

  it("from the start is used with smtps://", async () => {
    server = await startMailServer({ secure: true });
    expect(await sendMail(settings(`smtps://127.0.0.1:${server.port}`), mail)).toMatchObject({ isSent: true });
    expect(server.arrived[0]).toMatchObject({ isEncrypted: true });
  });
});

describe("an address that is not ASCII", () => {
  it("is sent with the domain in its ASCII form", async () => {
    server = await startMailServer({ hideSMTPUTF8: true });
    const to = "grace@ex\u00e4mple.com";
    expect(await sendMail(settings(server.url), { ...mail, to })).toMatchObject({ isSent: true });
    expect(server.arrived[0]?.raw).toContain("To: grace@xn--exmple-cua.com\r\n");
  });

  it.each(["\u00e9@example.com", "\u00e9@ex\u00e4mple.com"])(
    "before the @ needs a server that takes it: %s",
    async (to) => {
      server = await startMailServer({ hideSMTPUTF8: true });
      const outcome = await sendMail(settings(server.url), { ...mail, to });
      expect(outcome).toEqual({ isSent: false, answer: expect.stringContaining("SMTPUTF8"), isFinal: true });
      expect(server.arrived).toEqual([]);
      await server.close();
      server = await startMailServer({ authOptional: false, hideSMTPUTF8: false });
      const url = `smtp://ada:secret@127.0.0.1:${server.port}`;
      expect(await sendMail(settings(url), { ...mail, to })).toMatchObject({ isSent: true });
      expect(server.arrived.map((one) => one.to)).toEqual([[to]]);
    },
  );

  it("is left out as the address of replies", async () => {
    server = await startMailServer({ hideSMTPUTF8: true });
    await sendMail(settings(server.url), { ...mail, replyTo: "\u00e9@example.com" });
    expect(server.arrived[0]?.raw).not.toMatch(/^Reply-To/m);
  });
});

it("a server that never answers is given up", async () => {
  server = await startMailServer({ onConnect: () => undefined });
  const outcome = await sendMail(settings(server.url), mail, 300);
  expect(outcome).toEqual({ isSent: false, answer: "The server took too long.", isFinal: false });
});

it("a server that is not there is reported without an error", async () => {
  server = await startMailServer();
  await server.close();
  const outcome = await sendMail(settings(server.url), mail);
  expect(outcome).toEqual({ isSent: false, answer: "The server could not be reached.", isFinal: false });
});

it("an answer is kept as one line of bounded length", async () => {
  server = await startMailServer({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error(`no\u202e${"x".repeat(2_000)}`), { responseCode: 450 })),
  });
  const outcome = await sendMail(settings(server.url), mail);
  expect(outcome.answer).toMatch(/^450 no x+$/);
  expect(outcome.answer).toHaveLength(500);
});

it("an answer that quotes links is kept without their tokens", async () => {
  const token = mintToken("passwordReset", new Uint8Array(32).fill(7));
  const url = `https://pay.example.com/reset-password/${token}`;
  server = await startMailServer();
  server.onMessage = () => Promise.reject(refusal(550, `blocked URL ${url} and <${url}>`));
  const outcome = await sendMail(settings(server.url), mail);
  const shown = "https://pay.example.com/reset-password/[removed]";
  expect(outcome).toEqual({ isSent: false, answer: `550 blocked URL ${shown} and <${shown}>`, isFinal: true });
});
