// The invoice of the payment request in the body, for the form in which somebody is writing it.
import { api } from "@/app/_trpc/server";
import { invoicePreview } from "@/server/hosted/invoice-document";
import { readerOf } from "@/server/hosted/reader";
import { answerPreview, asVisitor } from "../../../_parts/preview/answer";

export const POST = (request: Request) =>
  answerPreview(request, async (content) => {
    const invoice = await (await api()).payments.previewInvoice(content);
    return invoicePreview(invoice, readerOf(asVisitor(request), invoice));
  });
