// The sandbox's stand-in for the cardholder's bank: what is to be confirmed, and the three possible answers.
import type * as z from "zod";
import type { viewChallenge } from "@/server/domains/payments/operations/challenge";
import { type Html, html } from "@/server/kit/html";
import { cardName } from "./card-name";
import { type Document, frame, state } from "./frame";
import type { Reader } from "./reader";

type Challenge = z.output<typeof viewChallenge.output>;

interface ChallengeForm {
  /** The page's own path. */
  path: string;
  /** The form token that the answer must send back. */
  formToken: string;
  /** The address of the payment page to return to. */
  returnUrl: string;
}

/** The page with its answers. */
export function challengeDocument(challenge: Challenge, reader: Reader, form: ChallengeForm): Document {
  const { t } = reader;
  const isOpen = challenge.state === "open";
  const heading = isOpen ? t("challenge.title") : t("challenge.answered");
  return frame({
    title: t("title", { heading, account: challenge.account_name }),
    reader,
    brandColor: null,
    isTest: true,
    body: isOpen ? openBody(challenge, heading, reader, form) : answeredBody(heading, reader, form.returnUrl),
  });
}

function openBody(challenge: Challenge, heading: string, reader: Reader, form: ChallengeForm): Html {
  const { t, money, link } = reader;
  const { path, formToken, returnUrl } = form;
  const { account_name, amount, currency, brand, last4 } = challenge;
  return html`
    ${state("lock", heading, t("challenge.standIn"))}
    <div class="part"><dl class="facts">
    <div class="words"><dt>${t("challenge.merchant")}</dt><dd>${account_name}</dd></div>
    <div><dt>${t("challenge.amount")}</dt><dd>${money(amount, currency)}</dd></div>
    ${last4 !== null && html`<div class="words"><dt>${t("challenge.card")}</dt><dd>${cardName({ brand, last4 }, t)}</dd></div>`}
    </dl></div>
    <div class="part acts"><p class="dim" id="choices">${t("challenge.choices")}</p>
    <form method="post" action="${link(path)}" aria-describedby="choices">
    <input type="hidden" name="form_token" value="${formToken}">
    <button class="button" name="answer" value="complete">${t("challenge.complete")}</button>
    <button class="button outline" name="answer" value="fail">${t("challenge.fail")}</button></form>
    <a class="button outline" href="${returnUrl}">${t("challenge.abandon")}</a></div>`;
}

const answeredBody = (heading: string, { t }: Reader, returnUrl: string): Html => html`
  ${state("over", heading, t("challenge.answeredText"))}
  <div class="part acts"><a class="button" href="${returnUrl}">${t("challenge.back")}</a></div>`;
