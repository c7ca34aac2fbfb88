// The pay page as one HTML document for each state. It loads nothing and runs no script.
import type { PayPage, PayPageState } from "@/server/payments/view";
import { cardForm, type FormProblem } from "./form";
import { type Html, html } from "./html";
import { styleSheet } from "./style";
import { deadline, facts, headlineAmount, interval, sender } from "./summary";
import type { Reader } from "./text";

/** A document, and the style in it, whose hash the page's policy allows. */
export interface Document {
  text: string;
  style: string;
  /** The `Refresh` header of a page that asks again by itself. */
  refresh: string | null;
}

interface Frame {
  heading: string;
  title: string;
  reader: Reader;
  brandColor: string | null;
  isTest: boolean;
  body: Html;
  refresh?: string | null;
}

function frame({ title, reader, brandColor, isTest, body, refresh = null }: Frame): Document {
  const { t, locale } = reader;
  const style = styleSheet(brandColor);
  // The style is ours alone, and escaping would change what its hash stands for.
  const sheet = { text: `<style>${style}</style>` } as Html;
  const page = html`<!doctype html>
    <html lang="${locale}">
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
    <main class="page">
    <div class="card">${body}</div>
    <p class="foot dim">${t("poweredBy")}</p>
    </main>
    </body>
    </html>`;
  return { text: page.text, style, refresh };
}

const icons = {
  good: html`<svg viewBox="0 0 24 24"><path d="m5 13 4.5 4.5L19 7"/></svg>`,
  wrong: html`<svg viewBox="0 0 24 24"><path d="M6 6l12 12M18 6 6 18"/></svg>`,
  busy: html`<svg viewBox="0 0 24 24"><circle cx="12" cy="12" r="8"/><path d="M12 8v4l3 2"/></svg>`,
  over: html`<svg viewBox="0 0 24 24"><path d="M6 12h12"/></svg>`,
  back: html`<svg viewBox="0 0 24 24"><path d="M9 6 4 11l5 5M4 11h11a5 5 0 0 1 0 10h-3"/></svg>`,
};

const marks: Record<Exclude<PayPageState, "open">, keyof typeof icons> = {
  processing: "busy",
  paid: "good",
  authorized: "good",
  failed: "wrong",
  refunded: "back",
  partially_refunded: "back",
  expired: "over",
  canceled: "over",
  unavailable: "over",
};

const state = (mark: keyof typeof icons, heading: string, text: string): Html => html`
  <div class="part state" role="status"><span class="mark ${mark}" aria-hidden="true">${icons[mark]}</span>
  <h1>${heading}</h1>
  <p class="dim">${text}</p></div>`;

/** What the payer has done since the page was opened, as its address says. */
export interface Visit {
  problems: readonly FormProblem[];
  /** How often a page in progress has reloaded itself. */
  checks: number;
}

/** The page of a known link. */
export function payPage(page: PayPage, reader: Reader, visit: Visit): Document {
  const { t } = reader;
  const isOpen = page.state === "open" && page.form_token !== null;
  const heading = page.state === "open" ? t(`heading.${page.type}`) : t(`heading.${page.state}`);
  return frame({
    heading,
    title: t("title", { heading, account: page.account_name }),
    reader,
    brandColor: page.brand_color,
    isTest: !page.livemode,
    body: isOpen
      ? html`${openSummary(page, heading, reader)}<div class="part">${cardForm(page, page.form_token ?? "", reader, visit.problems)}</div>`
      : closedBody(page, page.state === "open" ? "unavailable" : page.state, reader),
    refresh: page.state === "processing" ? refreshAfter(visit.checks) : null,
  });
}

const openSummary = (page: PayPage, heading: string, reader: Reader): Html => html`
  <div class="part">${sender(page, reader)}
  <h1>${page.description ?? heading}</h1>
  ${headlineAmount(page.amount_due, page.currency, reader)}
  ${interval(page, reader)}
  ${deadline(page, reader)}
  ${facts(page, reader)}</div>`;

/** States in which the payer may want to see what it was about. */
const told: readonly PayPageState[] = ["paid", "authorized", "refunded", "partially_refunded", "processing", "failed"];

function closedBody(page: PayPage, closed: Exclude<PayPageState, "open">, reader: Reader): Html {
  const { t, money, instant } = reader;
  const amount = money(page.amount_refunded, page.currency);
  const text = t(`text.${closed}`, { account: page.account_name, amount });
  const isPaid = closed === "paid" || closed === "authorized";
  return html`${state(marks[closed], t(`heading.${closed}`), text)}
    ${
      told.includes(closed) &&
      html`<div class="part">${sender(page, reader)}
        ${page.description !== null && html`<p class="what">${page.description}</p>`}
        ${headlineAmount(page.amount_paid > 0 ? page.amount_paid : page.amount, page.currency, reader)}
        ${page.paid_at !== null && html`<p class="dim">${t("paidOn", { date: instant(page.paid_at) })}</p>`}
        ${facts(page, reader)}</div>`
    }
    ${
      isPaid &&
      page.success_url !== null &&
      html`<div class="part"><a class="button outline" href="${page.success_url}" rel="noreferrer">${t("back", {
        site: new URL(page.success_url).host,
      })}</a></div>`
    }`;
}

const delays = [3, 3, 5, 8, 15, 30, 60];

/** The page in progress asks again, ever more seldom. */
function refreshAfter(checks: number): string {
  const seconds = delays[Math.min(checks, delays.length - 1)] ?? 60;
  return `${seconds}; url=?check=${Math.min(checks + 1, delays.length)}`;
}

/** A page about no request in particular. */
export function plainPage(kind: "notFound" | "refused" | "broken", reader: Reader): Document {
  const heading = reader.t(`heading.${kind}`);
  const body = state(kind === "notFound" ? "over" : "wrong", heading, reader.t(`text.${kind}`));
  return frame({ heading, title: heading, reader, brandColor: null, isTest: false, body });
}
