// The page behind a link about an e-mail address: one that verifies it, changes it or undoes a change, in each state.

import { type Html, html } from "@/server/kit/html";
import { type Document, frame, state } from "./frame";
import { forgotPath } from "./path";
import type { Reader } from "./reader";

interface EmailPage {
  state: "open" | "used" | "taken" | "expired";
  /** Null for an unknown link. */
  kind: "verify" | "change" | "undo" | null;
  /** The address that it is about, while the link is open. */
  email: string | null;
  /** Whether this reader has just used the link. */
  isDone: boolean;
  path: string;
}

export function emailDocument(page: EmailPage, reader: Reader): Document {
  const heading = headingOf(page, reader);
  const body =
    page.state === "open" && page.kind !== null ? form(page, page.kind, heading, reader) : over(page, heading, reader);
  return frame({
    title: heading,
    reader,
    brandColor: null,
    isTest: false,
    query: page.isDone ? { done: "1" } : {},
    body,
  });
}

function headingOf({ state: shown, kind, isDone }: EmailPage, { t }: Reader): string {
  if (kind === null || shown === "expired") return t("emailLink.expired");
  if (shown === "taken") return t("emailLink.taken");
  return t(`emailLink.${kind}.${shown === "open" ? "heading" : isDone ? "done" : "used"}`);
}

function textOf({ state: shown, kind, isDone }: EmailPage, { t }: Reader): string {
  if (kind === null || shown === "expired") return t("emailLink.expiredText");
  return shown === "taken" ? t("emailLink.takenText") : t(`emailLink.${kind}.${isDone ? "doneText" : "usedText"}`);
}

const over = (page: EmailPage, heading: string, reader: Reader): Html => html`
  ${state(page.isDone ? "good" : "over", heading, textOf(page, reader))}
  <div class="part acts">${page.kind === "undo" && page.isDone && html`<a class="button" href="${reader.link(forgotPath)}">${reader.t("emailLink.newPassword")}</a>`}
  <a class="button${page.kind === "undo" && page.isDone && " outline"}" href="${reader.link("/dashboard/profile")}">${reader.t("emailLink.signIn")}</a></div>`;

const form = (
  { email, path }: EmailPage,
  kind: NonNullable<EmailPage["kind"]>,
  heading: string,
  { t, link }: Reader,
): Html => html`
  <div class="part"><h1>${heading}</h1>
  <p class="what">${t(`emailLink.${kind}.text`, { email: email ?? "" })}</p></div>
  <div class="part"><form method="post" action="${link(path)}">
  <button class="button">${t(`emailLink.${kind}.submit`)}</button>
  </form></div>`;
