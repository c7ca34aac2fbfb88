// The frame of every hosted page: one HTML document that loads nothing and works without a script.
import { createHash } from "node:crypto";
import type { LinkPage } from "@/server/domains/payments/link-page";
import { type Html, html } from "@/server/kit/html";
import { isRightToLeft, type Language, languages } from "@/server/kit/languages";
import type { Reader } from "./reader";
import { styleSheet } from "./style";

/** A document, and the source of its style for the content security policy. */
export interface Document {
  text: string;
  styleSource: string;
  /** The source of its script; null for a page without one. */
  scriptSource: string | null;
  /** Whether its script may send requests to us. */
  mayConnect: boolean;
  /** Whether it shows an image of ours. */
  hasImage: boolean;
  /** The `Refresh` header of a page that reloads itself. */
  refresh: string | null;
}

/** The account that a page is from. */
type Contact = Pick<LinkPage, "account_name" | "account_email">;

interface Frame {
  title: string;
  reader: Reader;
  brandColor: string | null;
  isTest: boolean;
  /** Whether the body shows a logo. */
  hasLogo?: boolean;
  body: Html;
  /** Whom the reader can ask, in the foot of the page. */
  contact?: Contact | null;
  refresh?: string | null;
  /** A script for a convenience that the page can do without. */
  script?: string | null;
  /** Whether the script may send requests to us. */
  mayConnect?: boolean;
  /** The query that stays in the address, besides the language, when the reader switches language. */
  query?: Readonly<Record<string, string>>;
}

/** Builds the whole page. */
export function frame({
  title,
  reader,
  brandColor,
  isTest,
  hasLogo = false,
  body,
  contact = null,
  refresh = null,
  script = null,
  mayConnect = false,
  query = {},
}: Frame): Document {
  const { t, locale, language } = reader;
  const style = styleSheet(brandColor);
  // The style is entirely ours, and escaping would change its hash.
  const sheet = { text: `<style>${style.text}</style>` } as Html;
  const run = script !== null && ({ text: `<script>${script}</script>` } as Html);
  const page = html`<!doctype html>
    <html lang="${locale}"${isRightToLeft(language) && html` dir="rtl"`}>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex, nofollow">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    ${sheet}
    </head>
    <body>
    ${isTest && html`<p class="test"><b>${t("test")}</b>${t("testMeaning")}</p>`}
    <main><div class="card">${body}</div></main>
    <footer><nav aria-label="${t("language")}">${languageLinks(reader, query)}</nav>${contact !== null && contactLine(contact, reader)}<p>${t("poweredBy")}</p></footer>
    ${run}
    </body>
    </html>`;
  const scriptSource = script && sourceOf(script);
  return { text: page.text, styleSource: style.source, scriptSource, mayConnect, hasImage: hasLogo, refresh };
}

const contactLine = ({ account_name: account, account_email: email }: Contact, { t }: Reader): Html =>
  html`<p>${t("questions", { account })} <a href="mailto:${encodeURI(email)}"><bdi>${email}</bdi></a></p>`;

/** The source of an inline script for a content security policy (CSP Level 3, 2.3.1). */
const sourceOf = (script: string): string => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/** Each language by its own name. The current one is not a link. */
const languageLinks = (reader: Reader, query: Readonly<Record<string, string>>): Html[] => {
  const names = Object.keys(query);
  const rest = names.length === 0 ? "" : new URLSearchParams(query).toString();
  const address = (language: string) => (rest === "" ? `?lang=${language}` : `?${rest}&lang=${language}`);
  return (Object.entries(languages) as [Language, string][]).map(([language, name]) =>
    language === reader.language
      ? html`<span aria-current="true">${name}</span> `
      : html`<a href="${address(language)}" lang="${language}" hreflang="${language}">${name}</a> `,
  );
};

const icons = {
  good: html`<svg viewBox="0 0 24 24"><path d="m5 13 4.5 4.5L19 7"/></svg>`,
  wrong: html`<svg viewBox="0 0 24 24"><path d="M6 6l12 12M18 6 6 18"/></svg>`,
  busy: html`<svg viewBox="0 0 24 24"><circle cx="12" cy="12" r="8"/><path d="M12 8v4l3 2"/></svg>`,
  lock: html`<svg viewBox="0 0 24 24"><path d="M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3"/></svg>`,
  over: html`<svg viewBox="0 0 24 24"><path d="M6 12h12"/></svg>`,
  back: html`<svg viewBox="0 0 24 24"><path d="M9 6 4 11l5 5M4 11h11a5 5 0 0 1 0 10h-3"/></svg>`,
};

export type Mark = keyof typeof icons;

/** The state of the page: an icon, a heading, a sentence. */
export const state = (mark: Mark, heading: string, text: string): Html => html`
  <div class="part state" role="status"><span class="mark ${mark === "lock" ? "busy" : mark}" aria-hidden="true">${icons[mark]}</span>
  <h1>${heading}</h1>
  <p class="dim">${text}</p></div>`;

/** The strokes of the product's logo; app/_ui/name-mark.tsx has the whole. */
const productMark = html`<svg viewBox="5 5 23 22" width="28" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><path d="M21.4 10.2a8 8 0 1 0 2.3 7.4"/><path d="m12.8 15.4 3.6 3.6 8.6-9"/></svg>`;

/** A page of the product itself, which shows only a state. */
export function plainPage(kind: "notFound" | "refused" | "broken", reader: Reader): Document {
  const heading = reader.t(`heading.${kind}`);
  const body = html`<div class="part"><p class="from"><span class="tile" aria-hidden="true">${productMark}</span><span>Quittance</span></p></div>
    ${state(kind === "notFound" ? "over" : "wrong", heading, reader.t(`text.${kind}`))}`;
  return frame({ title: heading, reader, brandColor: null, isTest: false, body });
}
