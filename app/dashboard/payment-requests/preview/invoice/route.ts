// The invoice of the payment request in the body, for the form in which somebody is writing it.
import { viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { invoicePreview } from "@/server/hosted/invoice-document";
import { answerPreview, previewReader } from "../../../_parts/preview/answer";

export const POST = (request: Request) =>
  answerPreview(request, async (content) => {
    const invoice = await (await api()).payments.previewInvoice(content);
    return invoicePreview(invoice, previewReader(invoice, await viewer()));
  });
