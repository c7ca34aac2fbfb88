// Hands a mail to the SMTP server: with bounds on time and size, and a plain reason if the server does not accept it.
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { limits } from "@/server/kit/limits";
import { isLoopback } from "@/server/kit/reach";
import type { Env, SmtpServer } from "@/server/process/env";
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
  const transport = createTransport(optionsOf(server));
  try {
    const { messageId, replyTo, to, subject, text, html } = mail;
    const sending = transport
      .sendMail({
        ...{ messageId, subject, text, html },
        // As objects, addresses are not parsed: nothing in them can add another recipient or header.
        from: { name: mail.fromName ?? from.name ?? "", address: from.address },
        to: { name: "", address: to },
        ...(replyTo === null ? {} : { replyTo: { name: "", address: replyTo } }),
        headers: { "Auto-Submitted": "auto-generated" },
        ...{ disableFileAccess: true, disableUrlAccess: true, signal: ending.signal },
      })
      .then(({ response }): Outcome => ({ isSent: true, answer: plain(response) }), outcomeOf);
    return await Promise.race([sending, deadline]);
  } finally {
    ending.abort();
    transport.close();
  }
}

function optionsOf({ host, port, isSecure, login }: SmtpServer) {
  const isLocal = isLoopback(host);
  return {
    ...{ host, port, secure: isSecure, ...timeouts, maxResponseSize: limits.mail.response },
    // A password never crosses a network in the clear (RFC 8314). On this machine a certificate proves nothing.
    requireTLS: !isSecure && login !== null && !isLocal,
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
