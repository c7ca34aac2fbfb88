// The page of a reusable link in a browser in which a payment through it is under way. It may be another person's, so the
// page shows nothing of it: the payer says first whose it is.
import type { PayPage } from "@/server/domains/payments/operations/view";
import { html } from "@/server/kit/html";
import { type Document, frame, state } from "./frame";
import type { Reader } from "./reader";
import { description, sender } from "./summary";

/** Offers to go on with the payment, at `url` unless its link can no longer be derived, or to begin another one, at `other`. */
export function begunDocument(
  page: PayPage,
  { url, other }: { url: string | null; other: string },
  reader: Reader,
): Document {
  const { t } = reader;
  const heading = t("begun.heading");
  return frame({
    title: t("title", { heading, account: page.account_name }),
    reader,
    brandColor: page.brand_color,
    isTest: !page.livemode,
    hasLogo: page.logo_path !== null,
    contact: page,
    body: html`${state("lock", heading, t("begun.text"))}
    <div class="part">${sender(page, reader)}
    ${description(page, reader)}</div>
    <div class="part acts">${url !== null && html`<a class="button" href="${url}">${t("begun.continue")}</a>`}
    <a class="button outline" href="${other}">${t("begun.other")}</a></div>`,
  });
}
