// The page behind a password-reset link, in each of its states. It never sends a password back.

import { type Html, html } from "@/server/kit/html";
import { limits } from "@/server/kit/limits";
import { type Document, frame, state } from "./frame";
import type { Reader } from "./reader";

/** The problem with the last submission. */
export type ResetProblem = "short" | "long" | "weak" | "busy" | "codeMissing" | "codeWrong";

interface ResetPage {
  state: "open" | "used" | "expired";
  /** The e-mail of the user whose password it sets, while the link is valid. */
  email: string | null;
  /** Whether the user has a second factor, which the page then asks for. */
  needs_code: boolean;
  /** Whether this reader has just set the password. */
  isDone: boolean;
  problem: ResetProblem | null;
  path: string;
}

export function resetDocument(page: ResetPage, reader: Reader): Document {
  const { t } = reader;
  const heading = t(page.state === "open" ? "reset.heading" : `reset.${page.isDone ? "done" : page.state}`);
  return frame({
    title: heading,
    reader,
    brandColor: null,
    isTest: false,
    query: page.isDone ? { done: "1" } : {},
    body: page.state === "open" ? form(page, heading, reader) : over(page, heading, reader),
  });
}

const { min, max } = limits.password;

const over = ({ state: closed, isDone }: ResetPage, heading: string, { t, link }: Reader): Html => html`
  ${state(isDone ? "good" : "over", heading, t(isDone ? "reset.doneText" : closed === "used" ? "reset.usedText" : "reset.expiredText", { minutes: limits.resetLinkMinutes }))}
  <div class="part acts"><a class="button" href="${link("/sign-in")}">${t("reset.signIn")}</a></div>`;

const form = (page: ResetPage, heading: string, { t, link }: Reader): Html => {
  const { email, problem, path, needs_code: needsCode } = page;
  const isAboutCode = problem === "codeMissing" || problem === "codeWrong";
  const password = { name: "new_password", help: t("reset.help", { min }) };
  const code = { name: "otp", help: t("reset.codeHelp") };
  const text = problem && t(`reset.${problem}`, { min, max });
  return html`
  ${
    problem !== null &&
    html`<div class="part alert"><div class="note bad" role="alert" tabindex="-1" autofocus><h2>${t("reset.problem")}</h2></div></div>`
  }
  <div class="part"><h1>${heading}</h1>
  <p class="dim">${t("reset.for", { email: email ?? "" })}</p></div>
  <div class="part"><form method="post" action="${link(path)}">
  <input type="email" name="email" autocomplete="username" value="${email ?? ""}" readonly hidden>
  <div>
  <label for="new_password">${t("reset.label")}</label>
  <input id="new_password" name="new_password" type="password" autocomplete="new-password" required minlength="${min}"${note(password, isAboutCode ? null : text)}
  </div>
  ${
    needsCode &&
    html`<div>
  <label for="otp">${t("reset.code")}</label>
  <input id="otp" name="otp" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required maxlength="${limits.oneTimeCode}"${note(code, isAboutCode ? text : null)}
  </div>`
  }
  <button class="button">${t("reset.submit")}</button>
  </form></div>`;
};

/** The end of a field's tag, and what is below the field: its problem, or help. */
const note = (
  { name, help }: { name: string; help: string },
  problem: string | null,
): Html => html` aria-describedby="${name}-note"${problem !== null && html` aria-invalid="true"`}>
  ${problem !== null ? html`<span class="error" id="${name}-note">${problem}</span>` : html`<span class="help" id="${name}-note">${help}</span>`}`;
