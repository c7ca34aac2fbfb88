// Parses environment variables: durations, numbers, addresses, keys, amounts.
import { isIP } from "node:net";
import { z } from "zod";
import { currencies } from "@/server/kit/currency";
import { email } from "@/server/kit/fields";
import { dayMs, hourMs, limits, minuteMs } from "@/server/kit/limits";

/** Which proxies may name the caller's address: none, the last `hops`, or those at known addresses. */
export type TrustedProxies = { hops: number } | { addresses: string[] } | null;

const unitMs: Record<string, number> = { s: 1_000, m: minuteMs, h: hourMs, d: dayMs };

/** "15m", "12h", "30d" as milliseconds. */
export const duration = z
  .string()
  .regex(/^[1-9]\d{0,6}[smhd]$/, "must be a whole number and a unit, such as 90s, 15m, 12h or 30d")
  .transform((text) => Number(text.slice(0, -1)) * (unitMs[text.slice(-1)] ?? 0))
  .refine((ms) => ms <= 3650 * dayMs, "must not be longer than 3650d");

/** A whole number within bounds. */
export function whole(from: number, to: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine((value) => value >= from && value <= to, `must be a whole number from ${from} to ${to}`);
}

export const origin = z
  .string()
  .refine(isOrigin, "must be an http or https address without a path, such as https://pay.example.com")
  .transform((text) => new URL(text).origin);

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const bare = url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  return bare && /^https?:$/.test(url.protocol);
}

/** Where to report a vulnerability, as the URI of RFC 9116, 2.5.3: an e-mail address becomes a `mailto:` URI. */
export const securityContact = z
  .string()
  .transform((text) => (email.safeParse(text).success ? `mailto:${text}` : text))
  .refine(isContact, "must be an e-mail address, or an https:, mailto: or tel: address");

function isContact(text: string): boolean {
  return /^(https:\/\/|mailto:|tel:)[\x21-\x7e]+$/.test(text) && URL.canParse(text);
}

export const databaseUrl = z.string().refine(
  // A query would become part of the file's name, and so name another, empty database.
  (text) => /^file:[^?]+$/.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)),
  "must be file:path/to/quittance.db or postgres://user:password@host/database",
);

export const secretKeys = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .refine(
    (parts) => parts.every((part) => /^[A-Za-z0-9+/]{43}=$/.test(part)),
    "must be 32 random bytes in base64 (openssl rand -base64 32), or several of them separated by commas",
  )
  .transform((parts) => parts.map((part) => Buffer.from(part, "base64")));

/** Ids of server keys, as the database and the proof name them. */
export const keyIds = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .refine(
    (parts) => parts.every((part) => /^[0-9a-f]{8}$/.test(part)),
    "must be ids of 8 hex digits, separated by commas",
  );

/** What fits into an Authorization header as it is (RFC 6750, section 2.1). */
export const bearerToken = z
  .string()
  .regex(
    /^(?=.{32,200}$)[A-Za-z0-9\-._~+/]+=*$/,
    "must have 32 to 200 letters, digits or -._~+/= (openssl rand -hex 32)",
  );

export const trustedProxies = z
  .string()
  .refine(
    (text) => /^([1-9]|1\d|20)$/.test(text) || text.split(",").every((part) => isAddressOrRange(part.trim())),
    "must be a number of proxies (1 to 20) or a list of IP addresses and ranges, such as 10.0.0.0/8,::1",
  )
  .transform((text): TrustedProxies => {
    return /^\d+$/.test(text) ? { hops: Number(text) } : { addresses: text.split(",").map((part) => part.trim()) };
  });

function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** How to reach a mail server. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. Otherwise STARTTLS is used. */
  readonly isSecure: boolean;
  /** Whether mails without a password may be sent without TLS to another machine. */
  readonly mayBePlain: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

const smtpForm = "must be smtp:// or smtps://user:password@host:port, with nothing after the port";

/** `smtp://` and `smtps://` addresses (ports 587 and 465 by default, RFC 8314). */
export const smtpServer = z.string().transform((text, context): Omit<SmtpServer, "mayBePlain"> => {
  const server = smtpServerOf(text);
  if (server !== null) return server;
  context.addIssue({ code: "custom", message: smtpForm });
  return z.NEVER;
});

function smtpServerOf(text: string): Omit<SmtpServer, "mayBePlain"> | null {
  if (!/^smtps?:\/\//.test(text) || /[\s\\]/.test(text) || !URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const isBare = (pathname === "" || pathname === "/") && search === "" && hash === "";
  if (!isBare || hostname === "" || port === "0" || (username === "") !== (password === "")) return null;
  const isSecure = protocol === "smtps:";
  const given = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || (isSecure ? 465 : 587), isSecure };
  try {
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    return { ...given, login: username === "" ? null : login };
  } catch {
    return null;
  }
}

/** Who mails are from. */
export interface Mailbox {
  readonly name: string | null;
  readonly address: string;
}

/** `billing@example.com` or `Example Ltd <billing@example.com>` (RFC 5322, without comments and quotes). */
export const mailbox = z
  .string()
  .max(limits.email + limits.name)
  .regex(
    /^[^<>"\p{Cc}\p{Cf}]*<[^<>]+>$|^[^<>\s]+$/u,
    "must be billing@example.com or Example Ltd <billing@example.com>",
  )
  .transform((text): Mailbox => {
    const [, name = "", address = text] = /^(.*)<(.+)>$/.exec(text) ?? [];
    return { name: name.trim() || null, address };
  })
  .refine(({ address }) => email.safeParse(address).success, "must have a valid e-mail address");

export const stepUpAmounts = z
  .string()
  .transform((text) => text.split(",").map((part) => amountOfText(part.trim())))
  .refine(
    (amounts) => amounts.every((amount) => amount !== null),
    "must be currencies with amounts, such as EUR 1000.00, USD 1000.00",
  )
  .transform((amounts): ReadonlyMap<string, number> => new Map(amounts.filter((amount) => amount !== null)));

/** "EUR 1000.00" as its currency and minor units; null if it is no amount of a known currency. */
function amountOfText(text: string): [currency: string, minorUnits: number] | null {
  const [, currency = "", whole = "", fraction = ""] = /^([A-Z]{3}) (\d{1,9})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  const digits = currencies[currency] ?? -1;
  return fraction.length > digits ? null : [currency, Number(whole + fraction.padEnd(digits, "0"))];
}
