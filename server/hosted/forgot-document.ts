// The page for a forgotten password. Its answer is the same whether or not a user has the address.

import { type Html, html } from "@/server/kit/html";
import { limits } from "@/server/kit/limits";
import { type Document, frame, state } from "./frame";
import { forgotPath } from "./path";
import type { Reader } from "./reader";

/** The problem with the last submission. */
export type ForgotProblem = "email" | "busy" | "often";

interface ForgotPage {
  /** `noMail`: no mail server is set up. */
  state: "form" | "sent" | "noMail";
  problem: ForgotProblem | null;
  /** What was typed. */
  email?: string;
}

export function forgotDocument({ state: shown, problem, email = "" }: ForgotPage, reader: Reader): Document {
  const { t } = reader;
  const heading = t(shown === "form" ? "forgot.heading" : `forgot.${shown}`);
  return frame({
    title: heading,
    reader,
    brandColor: null,
    isTest: false,
    query: shown === "sent" ? { sent: "1" } : {},
    body: shown === "form" ? form({ problem, email }, heading, reader) : over(shown, heading, reader),
  });
}

const over = (shown: "sent" | "noMail", heading: string, { t, link }: Reader): Html => html`
  ${state(shown === "sent" ? "good" : "over", heading, t(shown === "sent" ? "forgot.sentText" : "forgot.noMailText", { minutes: limits.resetLinkMinutes }))}
  <div class="part acts"><a class="button" href="${link("/sign-in")}">${t("reset.signIn")}</a></div>`;

const form = (
  { problem, email }: Required<Pick<ForgotPage, "problem" | "email">>,
  heading: string,
  { t, link }: Reader,
): Html => html`
  ${
    problem !== null &&
    html`<div class="part alert"><div class="note bad" role="alert" tabindex="-1" autofocus><h2>${t("forgot.problem")}</h2></div></div>`
  }
  <div class="part"><h1>${heading}</h1>
  <p class="dim">${t("forgot.text")}</p></div>
  <div class="part"><form method="post" action="${link(forgotPath)}">
  <div>
  <label for="email">${t("forgot.label")}</label>
  <input id="email" name="email" type="email" autocomplete="username" required maxlength="${limits.email}" value="${email}"${
    problem !== null && html` aria-invalid="true" aria-describedby="email-note"`
  }>
  ${problem !== null && html`<span class="error" id="email-note">${t(`forgot.${problem}`)}</span>`}
  </div>
  <button class="button">${t("forgot.submit")}</button>
  </form></div>
  <div class="part"><p><a href="${link("/sign-in")}">${t("forgot.back")}</a></p></div>`;
