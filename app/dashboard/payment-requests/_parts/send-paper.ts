// Sends the PDF of an invoice or a credit note to those who may see its payment request.
import { api } from "@/app/_trpc/server";
import { fileReply, logoOf } from "@/server/hosted/paper-file";
import type { Paper } from "@/server/hosted/papers/paper";
import { render } from "@/server/hosted/papers/render";
import { type Reader, readerOf } from "@/server/hosted/reader";
import { mailLanguages } from "@/server/kit/languages";
import { failureOf } from "@/server/pipeline/trpc-router";

type Caller = Awaited<ReturnType<typeof api>>;

/** What is to be sent, and how it becomes a paper and gets its name. */
interface Sent<Issued> {
  read(caller: Caller): Promise<Issued>;
  paperOf(issued: Issued, reader: Reader, logo: string | null): Paper;
  nameOf(issued: Issued): string;
}

/** Answers with the file, or with the status of the refusal. */
export async function sendPaper<Issued extends Parameters<typeof readerOf>[1] & Parameters<typeof logoOf>[0]>(
  request: Request,
  { read, paperOf, nameOf }: Sent<Issued>,
): Promise<Response> {
  try {
    const caller = await api();
    const issued = await read(caller);
    const page = { query: new URLSearchParams(), headers: request.headers };
    const logo = await logoOf(issued, ({ hash }) => caller.accounts.viewLogo({ hash }));
    const drawn = await render(paperOf(issued, readerOf(page, issued, mailLanguages), logo), null);
    if ("missing" in drawn) return refuse(404);
    const { status, headers, bytes } = fileReply(drawn.bytes, nameOf(issued));
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
  ...{ payment_not_found: 404, account_not_found: 404, invalid_request: 404 },
};

const none = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const refuse = (status: number, headers: Readonly<Record<string, string>> = none) =>
  new Response(null, { status, headers });
