// The PDF of a payment request's invoice, for anyone who may see the payment request.
import { invoiceName, invoicePaper } from "@/server/hosted/papers/invoice-paper";
import { sendPaper } from "../../_parts/send-paper";

type Context = { params: Promise<{ payment_id: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { payment_id } = await params;
  return sendPaper(request, {
    read: (caller) => caller.payments.issuedInvoice({ payment_id }),
    paperOf: invoicePaper,
    nameOf: invoiceName,
  });
}
