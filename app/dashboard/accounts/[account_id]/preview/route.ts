// The account's pay page with sample content and the color in the address, for the form that changes it.
import { viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { sampleDocument } from "@/server/hosted/sample-page";
import { isFromOtherSite } from "@/server/http/same-origin";
import { failureOf } from "@/server/pipeline/trpc-router";
import { previewAnswer, previewReader } from "../../../_parts/preview/answer";
import { logoPath } from "../../_parts/logo-path";

const statuses: Readonly<Record<string, number>> = { unauthorized: 401, account_not_found: 404 };
/** For an account that has not chosen one. */
const sampleCurrency = "EUR";

export async function GET(request: Request, { params }: { params: Promise<{ account_id: string }> }) {
  const { account_id } = await params;
  const query = new URL(request.url).searchParams;
  // A link on another site must not lead to a page that looks like a pay page of this one.
  if (isFromOtherSite(request.headers)) return previewAnswer(403, null);
  try {
    const { account_name: name, email, preferences } = await (await api()).accounts.get({ account_id });
    const { default_currency: currency, locale, timezone } = preferences;
    const reader = previewReader({ locales: [null, null, locale], timezone }, await viewer());
    const branding = {
      color: query.get("color"),
      logoPath: logoPath(preferences),
      currency: currency ?? sampleCurrency,
    };
    return previewAnswer(200, sampleDocument({ name, email, ...branding }, reader).text);
  } catch (error) {
    const status = statuses[failureOf(error).code];
    if (status === undefined) throw error;
    return previewAnswer(status, null);
  }
}
