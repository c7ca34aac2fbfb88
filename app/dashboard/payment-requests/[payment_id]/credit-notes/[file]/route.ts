// The PDF of a credit note, for anyone who may see its payment request: `crn_….pdf`.
import { creditNoteName, creditNotePaper } from "@/server/hosted/papers/credit-note-paper";
import { sendPaper } from "../../../_parts/send-paper";

type Context = { params: Promise<{ payment_id: string; file: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { payment_id, file } = await params;
  const credit_note_id = file.replace(/\.pdf$/, "");
  return sendPaper(request, {
    read: (caller) => caller.payments.issuedCreditNote({ payment_id, credit_note_id }),
    paperOf: creditNotePaper,
    nameOf: creditNoteName,
  });
}
