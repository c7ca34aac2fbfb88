// The pay page of the payment request in the body, for the form in which somebody is writing it.
import { viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { previewDocument } from "@/server/hosted/sample-page";
import { answerPreview, previewReader } from "../../_parts/preview/answer";

export const POST = (request: Request) =>
  answerPreview(request, async (content) => {
    const page = await (await api()).payments.preview(content);
    return previewDocument(page, previewReader(page, await viewer()));
  });
