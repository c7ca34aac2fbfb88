// The pages on which a person becomes a user: behind an invitation's link, and at /sign-up. No password is sent back.

import type { UserRole } from "@/db/schema/values";
import { type Html, html } from "@/server/kit/html";
import { limits } from "@/server/kit/limits";
import { type Document, frame, state } from "./frame";
import type { Reader } from "./reader";

/** The problem with the last submission. */
export type JoinProblem = "email" | "name" | "short" | "long" | "weak" | "busy" | "often" | "taken";

interface Form {
  organization: string;
  /** The role that an invitation gives; null at sign-up. */
  role: UserRole | null;
  /** The invited address, or what was typed at sign-up. */
  email: string;
  name: string;
  problem: JoinProblem | null;
  path: string;
}

/** The form. */
export function joinDocument(form: Form, reader: Reader): Document {
  const { t } = reader;
  const heading = t("join.heading", { organization: form.organization });
  const text = form.role === null ? t("join.signUp") : t("join.invited", { role: t(`join.roles.${form.role}`) });
  const body = html`
  ${
    form.problem !== null &&
    html`<div class="part alert"><div class="note bad" role="alert" tabindex="-1" autofocus><h2>${t("join.problem")}</h2>${
      isOfNoField(form.problem) && html`<p>${problemText(form.problem, reader)}</p>`
    }</div></div>`
  }
  <div class="part"><h1>${heading}</h1>
  <p class="dim">${text}</p>
  ${form.role !== null && html`<p class="dim">${t("join.address", { email: form.email })}</p>`}</div>
  <div class="part"><form method="post" action="${reader.link(form.path)}">
  ${emailField(form, reader)}
  ${field({ name: "name", label: t("join.name"), problem: form.problem, reader, help: t("join.nameHelp"), control: html`type="text" autocomplete="name" maxlength="${limits.name}" value="${form.name}"` })}
  ${field({ name: "password", label: t("join.password"), problem: form.problem, reader, help: t("reset.help", { min: limits.password.min }), control: html`type="password" autocomplete="new-password" required minlength="${limits.password.min}"` })}
  <button class="button">${t(form.role === null ? "join.submitSignUp" : "join.submit")}</button>
  </form></div>
  ${form.role === null && html`<div class="part"><p><a href="${reader.link("/sign-in")}">${t("join.haveUser")}</a></p></div>`}`;
  return frame({ title: heading, reader, brandColor: null, isTest: false, body });
}

/** What the pages show instead of the form. */
type JoinState = "done" | "signedUp" | "accepted" | "expired" | "unknown" | "closed";

export function joinStateDocument(shown: JoinState, reader: Reader): Document {
  const { t, link } = reader;
  const isDone = shown === "done" || shown === "signedUp";
  const heading = t(`join.states.${shown}.heading`);
  const body = html`
  ${state(isDone ? "good" : "over", heading, t(`join.states.${shown}.text`, { days: limits.invitationDays }))}
  ${(isDone || shown === "accepted" || shown === "closed") && html`<div class="part acts"><a class="button" href="${link("/sign-in")}">${t("reset.signIn")}</a></div>`}`;
  return frame({
    ...{ title: heading, reader, brandColor: null, isTest: false, body },
    query: isDone ? { done: "1" } : {},
  });
}

/** An invited address is fixed, and submitted only for password managers; at sign-up it is typed. */
const emailField = ({ role, email, problem }: Form, reader: Reader): Html =>
  role === null
    ? field({
        ...{ name: "email", label: reader.t("join.email"), problem, reader, help: null },
        control: html`type="email" autocomplete="username" required maxlength="${limits.email}" value="${email}"`,
      })
    : html`<input type="email" name="email" autocomplete="username" value="${email}" readonly hidden>`;

type FieldName = "email" | "name" | "password";
const fieldOf: Readonly<Record<JoinProblem, FieldName | null>> = {
  ...{ email: "email", name: "name", short: "password", long: "password", weak: "password" },
  ...{ busy: null, often: null, taken: null },
};

const isOfNoField = (problem: JoinProblem): boolean => fieldOf[problem] === null;

interface Field {
  name: FieldName;
  label: string;
  /** The input's other attributes. */
  control: Html;
  help: string | null;
  problem: JoinProblem | null;
  reader: Reader;
}

function field({ name, label, control, help, problem, reader }: Field): Html {
  const isWrong = problem !== null && fieldOf[problem] === name;
  const note = isWrong ? problemText(problem, reader) : help;
  return html`<div>
  <label for="${name}">${label}</label>
  <input id="${name}" name="${name}" ${control}${note !== null && html` aria-describedby="${name}-note"`}${
    isWrong && html` aria-invalid="true"`
  }>
  ${note !== null && html`<span class="${isWrong ? "error" : "help"}" id="${name}-note">${note}</span>`}
  </div>`;
}

function problemText(problem: JoinProblem, { t }: Reader): string {
  const { min, max } = limits.password;
  if (problem === "short" || problem === "long" || problem === "weak") return t(`reset.${problem}`, { min, max });
  if (problem === "email" || problem === "busy") return t(`forgot.${problem}`);
  return t(`join.problems.${problem}`, { max: limits.name });
}
