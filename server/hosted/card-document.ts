// The page of a card link in each of its states: what is charged to which card, and the form for another one.
import type { CardPage, ShownSubscription } from "@/server/domains/subscriptions/operations/card-page";
import { type Html, html } from "@/server/kit/html";
import { cardFieldset, testHint } from "./card-fields";
import { problemNotice } from "./card-form";
import { cardName } from "./card-name";
import { cardScript } from "./card-script";
import type { FormProblem } from "./form-problems";
import { type Document, frame, type Mark, state } from "./frame";
import { type Confirmation, refreshAfter } from "./pay-document";
import type { Reader } from "./reader";
import { description, fact, headlineAmount, sender } from "./summary";

interface Visit {
  /** The page's own path. */
  path: string;
  problems: readonly FormProblem[];
  /** For a card that waits for confirmation: where to confirm it, and the form token to give it up. */
  confirmation: Confirmation | null;
  /** The page on which an open renewal is paid. */
  payUrl: string | null;
  /** How often the page has reloaded itself. */
  checks: number;
}

type ClosedState = Exclude<CardPage["state"], "open">;

const marks: Record<ClosedState, Mark> = {
  processing: "busy",
  requires_action: "lock",
  changed: "good",
  failed: "wrong",
  unpaid: "busy",
  unavailable: "over",
  over: "over",
};

/** The page in its present state. */
export function cardDocument({ state: shown, subscription }: CardPage, reader: Reader, visit: Visit): Document {
  const { t } = reader;
  const closed = shown === "open" ? null : shown;
  const heading = t(closed === null ? "cardPage.heading" : `cardPage.${closed}`);
  const problem = closed === null && subscription ? problemOf(subscription, reader, visit.problems) : null;
  const account = subscription?.account_name ?? null;
  const title = account === null ? heading : t("title", { heading, account });
  return frame({
    title: problem ? t("cardPage.notChanged", { title }) : title,
    reader,
    brandColor: subscription?.brand_color ?? null,
    isTest: subscription?.livemode === false,
    hasLogo: subscription?.logo_path != null,
    contact: subscription,
    body:
      closed === null && subscription
        ? openBody(subscription, heading, problem, reader, visit)
        : closedBody(closed ?? "over", subscription, heading, reader, visit),
    refresh: closed === "processing" ? refreshAfter(visit.checks, reader) : null,
    script: closed === null ? cardScript : null,
    query: visit.problems.length > 0 ? { problem: visit.problems.join(",") } : {},
  });
}

const problemOf = (page: ShownSubscription, reader: Reader, problems: readonly FormProblem[]): Html | null =>
  problemNotice({ ...page, amount_due: page.amount, isStoring: true }, reader, problems);

function openBody(
  page: ShownSubscription,
  heading: string,
  problem: Html | null,
  reader: Reader,
  { path, problems }: Visit,
): Html {
  const { t, link } = reader;
  return html`
    <div class="part">${sender(page, reader)}
    ${price(page, reader)}
    <h1>${heading}</h1>
    ${description(page, reader)}
    ${cardFacts(page, reader)}</div>
    ${problem}
    <div class="part"><form method="post" action="${link(path)}" novalidate>
    <input type="hidden" name="form_token" value="${page.form_token}">
    ${cardFieldset(page, reader, problems)}
    <p class="dim">${t("cardPage.note", { account: page.account_name })}</p>
    <button class="button">${t("cardPage.submit")}</button>
    ${testHint(page, reader)}
    </form></div>`;
}

function closedBody(
  closed: ClosedState,
  page: ShownSubscription | null,
  heading: string,
  reader: Reader,
  { path, confirmation, payUrl }: Visit,
): Html {
  const { t, link } = reader;
  const text = t(`cardPage.text.${closed}`, { account: page?.account_name ?? "" });
  return html`${state(marks[closed], heading, text)}
    ${
      confirmation !== null &&
      html`<div class="part acts"><a class="button" href="${confirmation.url}">${t("action.continue")}</a>
    <form method="post" action="${link(path)}">
    <input type="hidden" name="form_token" value="${confirmation.leaveToken}">
    <button class="button outline" name="act" value="leave">${t("cardPage.another")}</button></form></div>`
    }
    ${payUrl !== null && html`<div class="part acts"><a class="button" href="${payUrl}">${t("cardPage.pay")}</a></div>`}
    ${
      page !== null &&
      html`<div class="part">${sender(page, reader)}
    ${description(page, reader)}
    ${price(page, reader)}
    ${cardFacts(page, reader)}</div>`
    }`;
}

/** What each period costs. */
const price = ({ amount, currency, interval, interval_count: count }: ShownSubscription, reader: Reader): Html =>
  headlineAmount(amount, currency, reader, reader.t(`interval.${interval}`, { count }));

/** The card that is charged, and when it is charged next. */
function cardFacts({ card, next_charge_at: next }: ShownSubscription, { t, day }: Reader): Html | null {
  const rows = [
    ...(card === null ? [] : [fact(t("cardPage.card"), cardName(card, t), "words")]),
    ...(next === null ? [] : [fact(t("cardPage.next"), day(next))]),
  ];
  return rows.length === 0 ? null : html`<dl class="facts">${rows}</dl>`;
}
