// The page of a card link: GET shows the subscription and its card, POST stores another card or gives up its confirmation.
import { viewCardPage } from "@/server/domains/subscriptions/operations/card-page";
import { changeCard, leaveCard } from "@/server/domains/subscriptions/operations/change-card";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { redirectTarget, redirectTo, refused, submittedFields } from "./answers";
import type { PageCall } from "./call";
import { cardDocument } from "./card-document";
import { cardIn } from "./card-fields";
import { type FormProblem, knownProblems } from "./form-problems";
import { cardPathOf } from "./path";
import { readerOf } from "./reader";
import { pageReply, seeOther } from "./response";

/** Shows the page in its present state. */
export const showCardPage = (call: PageCall, token: string): Promise<HttpReply> =>
  show(call, token, knownProblems(call.query.get("problem")), 200);

/** Stores the card in the form, or gives up the one that waits for a confirmation. */
export async function submitCard(call: PageCall, token: string): Promise<HttpReply> {
  const form = await submittedFields(call);
  if ("refusal" in form) return form.refusal;
  const { fields } = form;
  if (fields.act === "leave") {
    if (call.hasFormToken("leave", token, fields)) await call.perform(leaveCard, { token });
    return backTo(call, token, []);
  }
  try {
    const answer = await call.perform(changeCard, { token, form_token: fields.form_token ?? "", ...cardIn(fields) });
    if (answer.action_url !== null) return redirectTo(call, answer.action_url);
    return backTo(call, token, knownProblems(answer.problems.join(",")));
  } catch (error) {
    if (error instanceof Failure) return afterRefusal(call, token, error);
    throw error;
  }
}

function afterRefusal(call: PageCall, token: string, failure: Failure): HttpReply | Promise<HttpReply> {
  const { code, status, headers } = failure;
  if (code === "rate_limited") return show(call, token, ["rate_limited"], 429, headers);
  if (code === "form_expired" || code === "invalid_request") return backTo(call, token, ["form_expired"]);
  if (status >= 500) return refused(failure, call);
  // Changed, over or in progress: the page itself says so.
  return backTo(call, token, []);
}

/** 303 to the page, which names the problems. */
const backTo = (call: PageCall, token: string, problems: readonly FormProblem[]): HttpReply =>
  seeOther(readerOf(call).link(cardPathOf(token), problems.length > 0 ? { problem: problems.join(",") } : undefined));

async function show(
  call: PageCall,
  token: string,
  problems: readonly FormProblem[],
  status: number,
  headers?: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const page = await call.perform(viewCardPage, { token });
  const actionUrl = page.subscription?.action_url ?? null;
  const payUrl = page.subscription?.pay_url ?? null;
  const document = cardDocument(page, readerOf(call, page.subscription ?? undefined), {
    ...{ path: cardPathOf(token), problems, checks: Number(call.query.get("check")) || 0 },
    payUrl: payUrl === null ? null : redirectTarget(call, payUrl),
    confirmation:
      actionUrl === null ? null : { url: redirectTarget(call, actionUrl), leaveToken: call.formToken("leave", token) },
  });
  return pageReply(document, page.state === "over" ? 404 : status, headers);
}
