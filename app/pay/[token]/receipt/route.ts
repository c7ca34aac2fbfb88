// The receipt behind a pay link: a page with an address that stays.
import { broken, callerOf } from "@/app/_hosted/answers";
import { readerOf } from "@/app/_hosted/reader";
import { pageResponse } from "@/app/_hosted/response";
import { runtime } from "@/server/kit/runtime";
import { pathOf } from "../../_parts/path";
import { receiptPage } from "../../_parts/receipt";

interface Route {
  params: Promise<{ token: string }>;
}

/** Shows what was paid; before that, that there is no receipt yet. */
export async function GET(request: Request, { params }: Route): Promise<Response> {
  const [{ token }, running] = await Promise.all([params, runtime()]);
  try {
    const receipt = await callerOf(request, running).payments.receipt({ token });
    const document = receiptPage(receipt, readerOf(request, receipt), pathOf(token));
    return pageResponse(document, 200, { isHead: request.method === "HEAD" });
  } catch (error) {
    return broken(request, running, error);
  }
}

/** The headers that GET would have. */
export const HEAD = GET;
