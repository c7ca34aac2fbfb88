// The hosted pay page: GET shows it, POST acts and redirects to GET. Opening a link changes nothing; the visible page
// reports that it was seen.

import { leaveChallenge } from "@/server/domains/payments/operations/leave-challenge";
import { pay } from "@/server/domains/payments/operations/pay";
import { recordView } from "@/server/domains/payments/operations/record-view";
import { requestLink } from "@/server/domains/payments/operations/request-link";
import { useLink } from "@/server/domains/payments/operations/use-link";
import { type PayPage, viewPayment } from "@/server/domains/payments/operations/view";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { isId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { notFound, redirectTarget, redirectTo, refused, submittedFields } from "./answers";
import { begunDocument } from "./begun-document";
import type { PageCall } from "./call";
import { cardIn } from "./card-fields";
import { confirmedIn, isToConfirm } from "./confirm-form";
import { type FormProblem, formProblems, knownProblems } from "./form-problems";
import { hasSession } from "./other-user";
import { ownAmountOf, type Picked, pickedBy, pickedIn, pickedQuery } from "./part-form";
import { payPathOf } from "./path";
import { payDocument, type Visit } from "./pay-document";
import { readerOf } from "./reader";
import { bareReply, pageReply, seeOther } from "./response";
import { rememberForm, shownForms } from "./shown-forms";
import { areInRange, isUseForm, priceIn, quantitiesIn, typedUse } from "./use-form";

/** Shows the payment request behind the link; of a reusable link, first asks about a payment begun in this browser. */
export async function showPayment(call: PageCall, token: string): Promise<HttpReply> {
  const { query } = call;
  // The answer to a form asks for a confirmation, never an address.
  const problems = knownProblems(query.get("problem")).filter((problem) => problem !== "amount_unconfirmed");
  const notMine = query.get("not_mine") ?? "";
  const picked = pickedIn(query);
  const visit = { ...fresh, problems, picked, notMine, checks: Number(query.get("check")) || 0 };
  return show(call, token, visit, 200);
}

/** A visit without problems, on which nothing was typed before. */
const fresh = { problems: [], picked: null, typed: null, unconfirmed: null, notMine: "", checks: 0 } as const;

/** Makes one payment attempt, or abandons the one that waits for confirmation. */
export async function submitPayment(call: PageCall, token: string): Promise<HttpReply> {
  const form = await submittedFields(call);
  if ("refusal" in form) return form.refusal;
  if (form.fields.act === "view") return view(call, token, form.fields);
  if (isUseForm(form.fields)) return submitUse(call, token, form.fields);
  if (form.fields.act === "ask") return ask(call, token, form.fields);
  return form.fields.act === "leave" ? leave(call, token, form.fields) : submit(call, token, form.fields);
}

async function submit(call: PageCall, token: string, fields: Record<string, string>): Promise<HttpReply> {
  const { form_token = "" } = fields;
  const picked = pickedBy(fields);
  // Without a script, nothing keeps a payer from typing an amount beside the choice of another one.
  if (picked.typed !== "" && picked.choice !== "own") {
    return backTo(call, token, ["amount_unclear"], { ...picked, choice: "own" });
  }
  try {
    const amount = picked.choice === "own" ? await ownAmount(call, token, picked) : picked.amount;
    const { choice, due: amount_due } = picked;
    const answer = await call.perform(pay, { token, form_token, choice, amount, amount_due, ...cardIn(fields) });
    if (answer.action_url !== null) return redirectTo(call, answer.action_url);
    const problems = answer.problems.filter(isKnown);
    return backTo(call, token, problems, problems.length > 0 && fields.choice !== undefined ? picked : null);
  } catch (error) {
    const chosen = fields.choice === undefined ? null : picked;
    if (error instanceof Failure) return afterRefusal(call, token, error, chosen);
    throw error;
  }
}

/**
 * Makes the payer's own payment request, and goes on to its page. A form with problems is shown again at once, with what
 * was typed: names and e-mail addresses must not stand in the address of a page.
 */
async function submitUse(call: PageCall, token: string, fields: Record<string, string>): Promise<HttpReply> {
  const typed = typedUse(fields);
  const { form_token = "", not_mine: notMine = "" } = fields;
  const again = (problems: readonly FormProblem[], status = 200, headers?: Readonly<Record<string, string>>) =>
    show(call, token, { ...fresh, problems, typed, notMine }, status, headers);
  const page = await call.perform(viewPayment, { token });
  const reader = readerOf(call, page);
  if (fields.act === "change") return again([]);
  if (fields.act === "total") return again(areInRange(typed, page, reader) ? [] : ["quantity_invalid"]);
  const amount = page.link?.custom_amount ? ownAmountOf(typed.amount, page, reader) : null;
  const confirmed = confirmedIn(fields, amount);
  const chosen = { amount, confirmed, quantities: quantitiesIn(typed, reader), price: priceIn(fields) };
  const { name, email } = typed;
  try {
    const shown = shownForms(call);
    const use = { token, form_token, shown, not_mine: idsIn(notMine), name, email, ...chosen };
    const answer = await call.perform(useLink, { ...use, ...cardIn(fields) });
    const target = answer.action_url ?? answer.payment_url;
    if (target === null) {
      const problems = answer.problems.filter(isKnown);
      const isAsked = amount !== null && isToConfirm(problems, confirmed);
      const unconfirmed = isAsked ? amount : null;
      return show(call, token, { ...fresh, problems, typed, notMine, unconfirmed }, 200);
    }
    const reply = redirectTo(call, target);
    // Forms that other tabs have shown since must not push out the one that pays.
    return { ...reply, headers: { ...reply.headers, ...rememberForm(call, form_token) } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "rate_limited") return again(["rate_limited"], 429, error.headers);
    if (error.code === "form_expired" || error.code === "invalid_request") return again(["form_expired"]);
    return afterRefusal(call, token, error, null);
  }
}

/** The typed amount as the page that the payer saw reads it. */
async function ownAmount(call: PageCall, token: string, { typed }: Picked): Promise<number | null> {
  const page = await call.perform(viewPayment, { token });
  return ownAmountOf(typed, page, readerOf(call, page));
}

function afterRefusal(
  call: PageCall,
  token: string,
  failure: Failure,
  picked: Picked | null,
): HttpReply | Promise<HttpReply> {
  const { code, status, headers } = failure;
  if (code === "rate_limited") return show(call, token, { ...fresh, problems: ["rate_limited"], picked }, 429, headers);
  if (code === "payment_not_found") return notFound(call);
  if (code === "form_expired" || code === "invalid_request") return backTo(call, token, ["form_expired"], picked);
  if (status >= 500) return refused(failure, call);
  // Paid, expired, canceled or in progress: the page itself says so.
  return backTo(call, token, []);
}

async function leave(call: PageCall, token: string, fields: Record<string, string>): Promise<HttpReply> {
  const isOurs = call.hasFormToken("leave", token, fields);
  // A form that is out of date redirects to the page too. An unknown link has no page.
  await (isOurs ? call.perform(leaveChallenge, { token }) : call.perform(viewPayment, { token }));
  return backTo(call, token, []);
}

/** Asks for a new link, unless somebody has done so within a day. The page then says so in either case. */
async function ask(call: PageCall, token: string, fields: Record<string, string>): Promise<HttpReply> {
  const { new_link } = await call.perform(viewPayment, { token });
  try {
    if (new_link === "possible") await call.perform(requestLink, { token, form_token: fields.form_token ?? "" });
  } catch (error) {
    // The page shows what it is now, or a new form.
    const shown = ["payment_not_extendable", "form_expired"];
    if (!(error instanceof Failure) || !shown.includes(error.code)) throw error;
  }
  return backTo(call, token, []);
}

/** Records the first view. The page does not wait for the answer, which is the same for every link. */
async function view(call: PageCall, token: string, { form_token = "" }: Record<string, string>): Promise<HttpReply> {
  const done = bareReply(204);
  if (hasSession(call)) return done;
  try {
    if (!(await call.perform(viewPayment, { token })).is_viewed) await call.perform(recordView, { token, form_token });
    return done;
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return done;
    throw error;
  }
}

/** Asks whose payment it is that was begun in this browser. */
function showBegun(
  call: PageCall,
  token: string,
  page: PayPage,
  { begun: { url, payment_id }, notMine }: { begun: NonNullable<PayPage["begun"]>; notMine: readonly string[] },
  { status, headers }: { status: number; headers?: Readonly<Record<string, string>> | undefined },
) {
  const reader = readerOf(call, page);
  const other = readerOf(call).link(payPathOf(token), { not_mine: [...notMine, payment_id].join(separator) });
  return pageReply(begunDocument(page, { url: url && redirectTarget(call, url), other }, reader), status, headers);
}

/** Between the ids of payments that are somebody else's. */
const separator = "~";

/** The ids of payment requests in a query or form, the newest last; any other text is left out. */
const idsIn = (text: string): string[] =>
  [...new Set(text.split(separator).filter((id) => isId("pay", id)))].slice(-limits.links.shownForms);

const isKnown = (problem: string): problem is FormProblem => (formProblems as readonly string[]).includes(problem);

/** 303 to the page, which names the problems and keeps the choice. */
const backTo = (
  call: PageCall,
  token: string,
  problems: readonly FormProblem[],
  picked: Picked | null = null,
): HttpReply =>
  seeOther(
    readerOf(call).link(payPathOf(token), {
      ...(problems.length > 0 && { problem: problems.join(",") }),
      ...pickedQuery(picked),
    }),
  );

async function show(
  call: PageCall,
  token: string,
  visit: Pick<Visit, "problems" | "picked" | "typed" | "unconfirmed" | "notMine" | "checks">,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const quantities = visit.typed === null ? [] : quantitiesIn(visit.typed, readerOf(call));
  const notMine = idsIn(visit.notMine);
  const page = await call.perform(viewPayment, { token, quantities, shown: shownForms(call), not_mine: notMine });
  if (page.begun !== null) return showBegun(call, token, page, { begun: page.begun, notMine }, { status, headers });
  const actionUrl = page.action_url && redirectTarget(call, page.action_url);
  const confirmation = actionUrl === null ? null : { url: actionUrl, leaveToken: call.formToken("leave", token) };
  const document = payDocument(page, readerOf(call, page), {
    askToken: page.new_link === "possible" ? call.formToken("ask", token) : null,
    ...{ ...visit, notMine: notMine.join(separator), path: payPathOf(token), confirmation },
    // Users who open the link from the dashboard are not the customer.
    reportsView: !page.is_viewed && !hasSession(call),
    isSample: false,
  });
  const isUse = page.link !== null && page.form_token !== null;
  return pageReply(document, status, { ...headers, ...(isUse && rememberForm(call, page.form_token ?? "")) });
}
