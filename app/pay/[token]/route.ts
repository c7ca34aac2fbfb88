// The hosted pay page: GET shows, POST pays and leads back to GET. Opening a link changes nothing.
import { callRequestOf } from "@/app/_trpc/call-request";
import { type Runtime, runtime } from "@/server/kit/runtime";
import { createCaller, failureOf } from "@/server/router";
import { type FormProblem, formProblems, knownProblems } from "../_parts/form";
import { payPage, plainPage, type Visit } from "../_parts/page";
import { pageResponse, seeOther } from "../_parts/response";
import { isFromOurPage, readForm } from "../_parts/submission";
import { type Reader, readerFor, wantedLanguages } from "../_parts/text";

interface Route {
  params: Promise<{ token: string }>;
}

/** Shows the request as it stands. */
export async function GET(request: Request, { params }: Route): Promise<Response> {
  const [{ token }, running] = await Promise.all([params, runtime()]);
  const query = new URL(request.url).searchParams;
  const visit = { problems: knownProblems(query.get("problem")), checks: Number(query.get("check")) || 0 };
  return show(request, running, token, visit, 200);
}

/** The headers that GET would have. */
export const HEAD = GET;

/** Makes one attempt to pay. */
export async function POST(request: Request, { params }: Route): Promise<Response> {
  const [{ token }, running] = await Promise.all([params, runtime()]);
  if (!isFromOurPage(request.headers, running.env.appUrl)) {
    return pageResponse(plainPage("refused", readerOf(request, [], null)), 403);
  }
  const form = await readForm(request.headers, request.body as AsyncIterable<Uint8Array> | null);
  if ("refused" in form) return pageResponse(plainPage("refused", readerOf(request, [], null)), form.refused);
  return submit(request, running, token, form.fields);
}

async function submit(
  request: Request,
  running: Runtime,
  token: string,
  fields: Record<string, string>,
): Promise<Response> {
  // Closing the browser must not break an attempt off half-way.
  const call = callRequestOf(request.headers, running, new AbortController().signal);
  const { form_token = "", card_number = "", expiry = "", security_code = "" } = fields;
  try {
    const caller = createCaller({ runtime: running, request: call });
    const answer = await caller.payments.pay({ token, form_token, card_number, expiry, security_code });
    return seeOther(addressOf(token, answer.problems.filter(isKnown)));
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === "rate_limited") {
      const visit = { problems: ["rate_limited" as const], checks: 0 };
      return show(request, running, token, visit, 429, { ...failure.headers });
    }
    if (failure.code === "payment_not_found") return notFound(request);
    if (failure.code === "form_expired" || failure.code === "invalid_request") {
      return seeOther(addressOf(token, ["form_expired"]));
    }
    if (failure.status >= 500) return broken(request, running, error);
    // Paid, expired, called off, under way: the page itself says so.
    return seeOther(addressOf(token, []));
  }
}

const isKnown = (problem: string): problem is FormProblem => (formProblems as readonly string[]).includes(problem);

const addressOf = (token: string, problems: readonly FormProblem[]): string =>
  `/pay/${encodeURIComponent(token)}${problems.length > 0 ? `?problem=${problems.join(",")}` : ""}`;

async function show(
  request: Request,
  running: Runtime,
  token: string,
  visit: Visit,
  status: number,
  headers: Record<string, string> = {},
): Promise<Response> {
  const call = callRequestOf(request.headers, running, request.signal);
  const isHead = request.method === "HEAD";
  try {
    const page = await createCaller({ runtime: running, request: call }).payments.view({ token });
    const reader = readerOf(request, page.locales, page.timezone);
    return pageResponse(payPage(page, reader, visit), status, { isHead, headers });
  } catch (error) {
    const failure = failureOf(error);
    const isUnknown = failure.code === "payment_not_found" || failure.code === "invalid_request";
    return isUnknown ? notFound(request) : broken(request, running, error);
  }
}

/** `?lang`, then the request's own language, the browser's, the account's. */
function readerOf(request: Request, [own, ...others]: readonly (string | null)[], timeZone: string | null): Reader {
  const asked = new URL(request.url).searchParams.get("lang");
  const browser = wantedLanguages(request.headers.get("accept-language"));
  const wanted = [asked, own, ...browser, ...others].filter((tag) => typeof tag === "string");
  return readerFor(wanted, timeZone);
}

const notFound = (request: Request): Response =>
  pageResponse(plainPage("notFound", readerOf(request, [], null)), 404, { isHead: request.method === "HEAD" });

function broken(request: Request, running: Runtime, error: unknown): Response {
  const failure = failureOf(error);
  if (failure.code === "internal_error") running.log.error({ err: error }, "a pay page failed");
  const headers = { ...failure.headers };
  return pageResponse(plainPage("broken", readerOf(request, [], null)), failure.status, { headers });
}
