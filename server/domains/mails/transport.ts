// Hands a mail to the SMTP server: with bounds on time and size, and a plain reason if the server does not accept it.
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { limits } from "@/server/kit/limits";
import { isLoopback } from "@/server/kit/reach";
import type { Env, Mailbox, SmtpServer } from "@/server/process/env";
import { tokenPattern } from "@/server/secrets/secret";

/** A mail to send. `fromName` replaces the name in `MAIL_FROM`. */
export interface Outgoing {
  messageId: string;
  fromName: string | null;
  replyTo: string | null;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * What became of it. `answer` is what the server said, or why it said nothing. `isFinal`: the server refuses this mail
 * or its recipient for good, so that trying again is useless.
 */
export type Outcome = { isSent: true; answer: string } | { isSent: false; answer: string; isFinal: boolean };

/** Milliseconds for each step, and for all of them together, so that a slow server does not hold others up for long. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 10_000, socketTimeout: 20_000 };
const deadlineMs = 45_000;

/** Sends the mail over a connection of its own, in `withinMs`. Never throws: what went wrong is in the outcome. */
export async function sendMail(
  { server, from }: NonNullable<Env["mail"]>,
  mail: Outgoing,
  withinMs: number = deadlineMs,
): Promise<Outcome> {
  const ending = new AbortController();
  const deadline = sleep(withinMs, undefined, { signal: ending.signal, ref: false }).then(
    (): Outcome => unsent("The server took too long."),
    () => unsent("The delivery ended."),
  );
  try {
    return await Promise.race([handOver(server, from, mail, ending.signal).catch(outcomeOf), deadline]);
  } finally {
    ending.abort();
  }
}

async function handOver(server: SmtpServer, from: Mailbox, mail: Outgoing, signal: AbortSignal): Promise<Outcome> {
  if (hasForeignLetters(mail.to) && !(await takesForeignLetters(server, signal))) return foreignLetters;
  const transport = createTransport(optionsOf(server));
  try {
    const { messageId, replyTo, to, subject, text, html } = mail;
    const { response } = await transport.sendMail({
      ...{ messageId, subject, text, html },
      // As objects, addresses are not parsed: nothing in them can add another recipient or header.
      from: { name: mail.fromName ?? from.name ?? "", address: from.address },
      to: { name: "", address: to },
      ...(replyTo === null || hasForeignLetters(replyTo) ? {} : { replyTo: { name: "", address: replyTo } }),
      headers: { "Auto-Submitted": "auto-generated" },
      ...{ disableFileAccess: true, disableUrlAccess: true, signal },
    });
    return { isSent: true, answer: plain(response) };
  } finally {
    transport.close();
  }
}

/** Whether the part before the @ is not ASCII. The domain after it has a form that is (RFC 5890), and is sent so. */
const hasForeignLetters = (address: string): boolean => /\P{ASCII}/u.test(address.slice(0, address.lastIndexOf("@")));

/** Whether the server says that it takes addresses that are not ASCII (RFC 6531). */
async function takesForeignLetters(server: SmtpServer, signal: AbortSignal): Promise<boolean> {
  let extensions: string[] = [];
  const look = (session: { extensions: string[]; resolve(): void }) => {
    extensions = session.extensions;
    session.resolve();
  };
  // A sign-in of our own is where nodemailer tells what the server announces. Nothing is sent for it.
  const transport = createTransport({
    ...optionsOf({ ...server, login: null }),
    ...{ forceAuth: true, auth: { type: "custom", method: "LOOK", user: "", pass: "" }, customAuth: { LOOK: look } },
  });
  const close = () => transport.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    await transport.verify();
  } finally {
    close();
  }
  return extensions.includes("SMTPUTF8");
}

const foreignLetters: Outcome = {
  isSent: false,
  answer: "The server does not take addresses with letters that are not ASCII before the @ (no SMTPUTF8).",
  isFinal: true,
};

function optionsOf({ host, port, isSecure, login, mayBePlain }: SmtpServer) {
  const isLocal = isLoopback(host);
  return {
    ...{ host, port, secure: isSecure, ...timeouts, maxResponseSize: limits.mail.response },
    // Mails have secret links: they cross no network in the clear, unless the operator says so, and a password never
    // does (RFC 8314). On this machine a certificate proves nothing.
    requireTLS: !isSecure && !isLocal && (login !== null || !mayBePlain),
    tls: { rejectUnauthorized: !isLocal },
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
  };
}

/** Steps whose refusal concerns this mail alone. An operator can fix the others, such as a wrong password. */
const stepsOfMail = ["RCPT TO", "DATA"];

interface SmtpError {
  code?: string;
  /** The code of the connection's own error. */
  originalCode?: string;
  command?: string;
  response?: string;
  permanent?: boolean;
}

function outcomeOf(error: SmtpError): Outcome {
  const { code = "unknown", originalCode = "", command = "", response, permanent = false } = error;
  const isFinal = permanent && code !== "EAUTH" && stepsOfMail.includes(command);
  if (response) return { isSent: false, answer: plain(response), isFinal };
  if (/CERT|ALTNAME/.test(originalCode)) return unsent(`The server's certificate is not valid (${originalCode}).`);
  return unsent(reasons[code] ?? `The server could not be used (${code}).`);
}

const unsent = (answer: string): Outcome => ({ isSent: false, answer, isFinal: false });

const reasons: Readonly<Record<string, string>> = {
  EAUTH: "The server did not accept the user and password of SMTP_URL.",
  ECONNECTION: "The connection to the server was cut.",
  EDNS: "The name of the server could not be resolved.",
  ESOCKET: "The server could not be reached.",
  ETIMEDOUT: "The server did not answer in time.",
  ETLS: "The connection could not be encrypted, so nothing was sent.",
};

const everyToken = new RegExp(tokenPattern, "g");

/** The server's answer as one bounded line, without the token of a link that it quotes. */
const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .replace(everyToken, "[removed]")
    .trim()
    .slice(0, limits.mail.answer);
