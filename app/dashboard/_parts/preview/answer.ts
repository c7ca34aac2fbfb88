// The answer of a route with a preview of a page, which the dashboard shows in a frame.
import type { Viewer } from "@/app/_i18n/viewer";
import type { Document } from "@/server/hosted/frame";
import { readerOf } from "@/server/hosted/reader";
import { isFromOtherSite } from "@/server/http/same-origin";
import { failureOf } from "@/server/pipeline/trpc-router";

export const previewAnswer = (status: number, body: string | null) =>
  new Response(body, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      // The form shows the text in a frame. Opened by itself, it is no page of the dashboard.
      "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  });

/** Answers a form that sends what somebody is writing with the page that `draw` makes of it. */
export async function answerPreview(
  request: Request,
  // What was sent is checked by the operation that it is passed to.
  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON.
  draw: (content: any) => Promise<Document>,
): Promise<Response> {
  if (isFromOtherSite(request.headers)) return previewAnswer(403, null);
  try {
    // The server lets no large body through to here.
    return previewAnswer(200, (await draw(await request.json())).text);
  } catch (error) {
    if (error instanceof SyntaxError) return previewAnswer(400, null);
    const { code, status } = failureOf(error);
    if (status >= 500) throw error;
    return previewAnswer(code === "unauthorized" ? 401 : 400, null);
  }
}

interface Previewed {
  /** The languages of the payment request, its customer, its account and the organization; null where none is set. */
  locales: readonly (string | null)[];
  timezone: string | null;
}

/**
 * The reader of a previewed page: in the language of the payment request, its customer or its account, in which customers
 * get it, else in that of the dashboard around it.
 */
export function previewReader(
  { locales: [own = null, customer = null, account = null, ...others], timezone }: Previewed,
  shownTo: Viewer,
) {
  const locales = [own, customer, account, shownTo.locale, shownTo.language, ...others];
  return readerOf({ query: new URLSearchParams(), headers: new Headers() }, { locales, timezone });
}
