// 3-D Secure in the sandbox: GET shows what the payer's bank would ask, POST answers and leads back to the payment.
import { broken, callerOf, goOn, onward, submittedFields } from "@/app/_hosted/answers";
import { readerOf } from "@/app/_hosted/reader";
import { pageResponse, seeOther } from "@/app/_hosted/response";
import { runtime } from "@/server/kit/runtime";
import { challengePage } from "../../_parts/challenge";

interface Route {
  params: Promise<{ reference: string }>;
}

const pathOf = (reference: string): string => `/sandbox/challenge/${encodeURIComponent(reference)}`;

/** Shows the payment that waits for its confirmation. */
export async function GET(request: Request, { params }: Route): Promise<Response> {
  const [{ reference }, running] = await Promise.all([params, runtime()]);
  try {
    const challenge = await callerOf(request, running).sandbox.challenge({ reference });
    const reader = readerOf(request, { ...challenge, timezone: null });
    const returnUrl = onward(request, running, challenge.return_url);
    const document = challengePage(challenge, reader, pathOf(reference), returnUrl);
    return pageResponse(document, 200, { isHead: request.method === "HEAD" });
  } catch (error) {
    return broken(request, running, error);
  }
}

/** The headers that GET would have. */
export const HEAD = GET;

/** Answers for the bank; an answer after the first changes nothing. */
export async function POST(request: Request, { params }: Route): Promise<Response> {
  const [{ reference }, running] = await Promise.all([params, runtime()]);
  const form = await submittedFields(request, running);
  if ("refusal" in form) return form.refusal;
  const { answer } = form.fields;
  if (answer !== "complete" && answer !== "fail") return seeOther(readerOf(request).link(pathOf(reference)));
  try {
    // Closing the browser must not break the answer off half-way.
    const caller = callerOf(request, running, new AbortController().signal);
    const { return_url } = await caller.sandbox.answerChallenge({ reference, answer });
    return goOn(request, running, return_url);
  } catch (error) {
    return broken(request, running, error);
  }
}
