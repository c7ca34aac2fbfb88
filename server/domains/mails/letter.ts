// A mail's content, and how it is written as text and as HTML: both from the same values, so that they always agree.
import { type Html, html } from "@/server/kit/html";
import type { MailReader } from "./reader";

/** What a template says. Texts of users have passed `inert`, except `quote`. */
export interface Letter {
  subject: string;
  heading: string;
  /** The amount, where the mail is about one. */
  amount?: string;
  paragraphs: readonly string[];
  /** What the sender wrote. */
  quote?: string | null;
  facts?: readonly (readonly [term: string, value: string])[];
  /** The label of the secret link. */
  button?: string;
  /** Another link: its label, and its path below the secret link. */
  file?: { label: string; path: string } | null;
  /** Small print. */
  notes?: readonly string[];
}

interface Frame {
  reader: MailReader;
  /** Who sends it, as `inert` text. */
  sender: string;
  /** The link's URL or its placeholder; null without one. */
  url: string | null;
  /** Whether it is about the sandbox, where no money moves. */
  isTest: boolean;
}

/** The letter as plain text, in lines that the mail program wraps. */
export function textOf(letter: Letter, { reader: { t }, sender, url, isTest }: Frame): string {
  const { heading, amount, paragraphs, quote, facts = [], button, file, notes = [] } = letter;
  const quoted = quote?.split(/\r?\n/).map((line) => `> ${line}`.trimEnd());
  const blocks = [
    ...(isTest ? [t("test")] : []),
    heading,
    ...(amount === undefined ? [] : [amount]),
    ...paragraphs,
    ...(quoted ? [quoted.join("\n")] : []),
    ...(facts.length === 0 ? [] : [facts.map(([term, value]) => `${term}: ${value}`).join("\n")]),
    ...(button === undefined || url === null ? [] : [`${button}:\n${url}`]),
    ...(file && url !== null ? [`${file.label}:\n${url}${file.path}`] : []),
    ...notes,
    `-- \n${sender}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const colors = { ink: "#1b1f24", dim: "#57606a", line: "#d8dee4", page: "#f4f6f8", accent: "#1f5fd0", test: "#7a4b00" };

/** The letter as HTML that mail programs show alike: tables, inline styles, nothing loaded from outside. */
export function htmlOf(letter: Letter, frame: Frame): string {
  const { locale } = frame.reader;
  return html`<!doctype html>
<html lang="${locale.tag}" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${letter.subject}</title></head>
<body style="margin:0;padding:0;background:${colors.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${colors.page}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid ${colors.line};border-radius:8px"><tr><td style="padding:28px;${font};font-size:16px;line-height:24px;color:${colors.ink};overflow-wrap:anywhere">
${contentOf(letter, frame)}
</td></tr></table>
<p style="margin:16px 0 0;${font};font-size:13px;line-height:20px;color:${colors.dim}" dir="auto">${frame.sender}</p>
</td></tr></table>
</body></html>`.text;
}

function contentOf(letter: Letter, { reader: { t }, url, isTest }: Frame): Html {
  const { heading, amount, paragraphs, quote, facts = [], button, file, notes = [] } = letter;
  return html`
${isTest && html`<p style="margin:0 0 16px;font-size:13px;line-height:20px;font-weight:600;color:${colors.test}">${t("test")}</p>`}
<h1 style="margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600" dir="auto">${heading}</h1>
${amount !== undefined && html`<p style="margin:0 0 16px;font-size:30px;line-height:38px;font-weight:600">${amount}</p>`}
${paragraphs.map((text) => html`<p style="margin:0 0 16px" dir="auto">${text}</p>`)}
${typeof quote === "string" && html`<blockquote style="margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid ${colors.line};white-space:pre-line" dir="auto">${quote}</blockquote>`}
${facts.length > 0 && html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;border-top:1px solid ${colors.line}">${facts.map(factOf)}</table>`}
${
  button !== undefined &&
  url !== null &&
  html`<p style="margin:0 0 20px"><a href="${url}" style="display:inline-block;padding:12px 22px;border-radius:6px;background:${colors.accent};color:#ffffff;font-weight:600;text-decoration:none">${button}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:${colors.dim}">${t("linkText")}<br><span style="overflow-wrap:anywhere">${url}</span></p>`
}
${file != null && url !== null && html`<p style="margin:0 0 16px"><a href="${url}${file.path}" style="color:${colors.accent}">${file.label}</a></p>`}
${notes.map((note) => html`<p style="margin:0 0 8px;font-size:13px;line-height:20px;color:${colors.dim}" dir="auto">${note}</p>`)}`;
}

const factOf = ([term, value]: readonly [string, string]): Html => html`
<tr><td style="padding:10px 16px 10px 0;border-bottom:1px solid ${colors.line};font-size:14px;line-height:20px;color:${colors.dim};vertical-align:top;white-space:nowrap">${term}</td>
<td align="right" style="padding:10px 0;border-bottom:1px solid ${colors.line};font-size:14px;line-height:20px;vertical-align:top" dir="auto">${value}</td></tr>`;
