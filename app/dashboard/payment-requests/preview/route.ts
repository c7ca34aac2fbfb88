// The pay page of the payment request in the body, for the form in which somebody is writing it.
import { api } from "@/app/_trpc/server";
import { readerOf } from "@/server/hosted/reader";
import { previewDocument } from "@/server/hosted/sample-page";
import { answerPreview, asVisitor } from "../../_parts/preview/answer";

export const POST = (request: Request) =>
  answerPreview(request, async (content) => {
    const page = await (await api()).payments.preview(content);
    return previewDocument(page, readerOf(asVisitor(request), page));
  });
