// The PDF of a payment request's invoice, for anyone who may see the payment request.
import { api } from "@/app/_trpc/server";
import { fileReply, logoOf } from "@/server/hosted/paper-file";
import { invoiceName, invoicePaper } from "@/server/hosted/papers/invoice-paper";
import { render } from "@/server/hosted/papers/render";
import { readerOf } from "@/server/hosted/reader";
import { mailLanguages } from "@/server/kit/languages";
import { failureOf } from "@/server/pipeline/trpc-router";

type Context = { params: Promise<{ payment_id: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { payment_id } = await params;
  try {
    const caller = await api();
    const invoice = await caller.payments.issuedInvoice({ payment_id });
    const page = { query: new URLSearchParams(), headers: request.headers };
    const logo = await logoOf(invoice, ({ hash }) => caller.accounts.viewLogo({ hash }));
    const drawn = await render(invoicePaper(invoice, readerOf(page, invoice, mailLanguages), logo), null);
    if ("missing" in drawn) return refuse(404);
    const { status, headers, bytes } = fileReply(drawn.bytes, invoiceName(invoice));
    return new Response(bytes, { status, headers });
  } catch (error) {
    const { code, headers } = failureOf(error);
    const status = statuses[code];
    if (status === undefined) throw error;
    return refuse(status, { ...none, ...headers });
  }
}

const statuses: Readonly<Record<string, number>> = {
  ...{ unauthorized: 401, insufficient_permissions: 403, rate_limited: 429 },
  ...{ payment_not_found: 404, account_not_found: 404 },
};

const none = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const refuse = (status: number, headers: Readonly<Record<string, string>> = none) =>
  new Response(null, { status, headers });
