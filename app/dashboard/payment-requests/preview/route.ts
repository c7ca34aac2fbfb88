// The pay page of the payment request in the body, for the form in which somebody is writing it.
import { api } from "@/app/_trpc/server";
import { readerOf } from "@/server/hosted/reader";
import { previewDocument } from "@/server/hosted/sample-page";
import { isFromOtherSite } from "@/server/http/same-origin";
import { failureOf } from "@/server/pipeline/trpc-router";
import { previewAnswer } from "../../_parts/preview/answer";

export async function POST(request: Request) {
  if (isFromOtherSite(request.headers)) return previewAnswer(403, null);
  try {
    // The server lets no large body through to here.
    const page = await (await api()).payments.preview(await request.json());
    return previewAnswer(200, previewDocument(page, readerOf(asVisitor(request), page)).text);
  } catch (error) {
    if (error instanceof SyntaxError) return previewAnswer(400, null);
    const { code, status } = failureOf(error);
    if (status >= 500) throw error;
    return previewAnswer(code === "unauthorized" ? 401 : 400, null);
  }
}

/** Without a query, the page is in the language of the payment request, else in one of the reader's. */
const asVisitor = ({ headers }: Request) => ({ query: new URLSearchParams(), headers });
