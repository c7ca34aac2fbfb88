// The hosted pay page: GET shows, POST acts and leads back to GET. Opening a link changes nothing.
import { broken, callerOf, goOn, notFound, onward, submittedFields } from "@/app/_hosted/answers";
import { readerOf } from "@/app/_hosted/reader";
import { pageResponse, seeOther } from "@/app/_hosted/response";
import { type Runtime, runtime } from "@/server/kit/runtime";
import { failureOf } from "@/server/router";
import { type FormProblem, formProblems, knownProblems } from "../_parts/form";
import { payPage, type Visit } from "../_parts/page";
import { pathOf } from "../_parts/path";

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

/** Makes one attempt to pay, or gives up the one that waits for a confirmation. */
export async function POST(request: Request, { params }: Route): Promise<Response> {
  const [{ token }, running] = await Promise.all([params, runtime()]);
  const form = await submittedFields(request, running);
  if ("refusal" in form) return form.refusal;
  const { fields } = form;
  return fields.act === "leave" ? leave(request, running, token) : submit(request, running, token, fields);
}

/** Closing the browser must not break an attempt off half-way. */
const patientCaller = (request: Request, running: Runtime) => callerOf(request, running, new AbortController().signal);

async function submit(
  request: Request,
  running: Runtime,
  token: string,
  fields: Record<string, string>,
): Promise<Response> {
  const { form_token = "", card_number = "", expiry = "", security_code = "" } = fields;
  try {
    const details = { token, form_token, card_number, expiry, security_code };
    const answer = await patientCaller(request, running).payments.pay(details);
    if (answer.action_url !== null) return goOn(request, running, answer.action_url);
    return backTo(request, token, answer.problems.filter(isKnown));
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === "rate_limited") {
      const visit = { problems: ["rate_limited" as const], checks: 0 };
      return show(request, running, token, visit, 429, failure.headers);
    }
    if (failure.code === "payment_not_found") return notFound(request);
    if (failure.code === "form_expired" || failure.code === "invalid_request") {
      return backTo(request, token, ["form_expired"]);
    }
    if (failure.status >= 500) return broken(request, running, error);
    // Paid, expired, called off, under way: the page itself says so.
    return backTo(request, token, []);
  }
}

async function leave(request: Request, running: Runtime, token: string): Promise<Response> {
  try {
    await patientCaller(request, running).payments.leaveChallenge({ token });
    return backTo(request, token, []);
  } catch (error) {
    return broken(request, running, error);
  }
}

const isKnown = (problem: string): problem is FormProblem => (formProblems as readonly string[]).includes(problem);

/** 303 to the page, which says what there is to mend. */
const backTo = (request: Request, token: string, problems: readonly FormProblem[]): Response =>
  seeOther(readerOf(request).link(pathOf(token), problems.length > 0 ? { problem: problems.join(",") } : {}));

async function show(
  request: Request,
  running: Runtime,
  token: string,
  visit: Omit<Visit, "path" | "actionUrl">,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  try {
    const page = await callerOf(request, running).payments.view({ token });
    const actionUrl = page.action_url && onward(request, running, page.action_url);
    const document = payPage(page, readerOf(request, page), { ...visit, path: pathOf(token), actionUrl });
    return pageResponse(document, status, { isHead: request.method === "HEAD", headers });
  } catch (error) {
    return broken(request, running, error);
  }
}
