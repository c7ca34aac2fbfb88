// 3-D Secure in the sandbox: GET shows the bank's question, POST answers it and returns to the payment.

import { answerChallenge, viewChallenge } from "@/server/domains/payments/operations/challenge";
import type { HttpReply } from "@/server/http/exchange";
import { redirectTarget, redirectTo, submittedFields } from "./answers";
import type { PageCall } from "./call";
import { challengeDocument } from "./challenge-document";
import { challengePathOf } from "./path";
import { readerOf } from "./reader";
import { pageReply, seeOther } from "./response";

/** Shows the payment that waits for confirmation. */
export async function showChallenge(call: PageCall, reference: string): Promise<HttpReply> {
  const challenge = await call.perform(viewChallenge, { reference });
  const reader = readerOf(call, { ...challenge, timezone: null });
  const returnUrl = redirectTarget(call, challenge.return_url);
  const path = challengePathOf(reference);
  const form = { path, formToken: call.formToken("challenge", reference), returnUrl };
  return pageReply(challengeDocument(challenge, reader, form), 200);
}

/** Answers as the bank. Only the first answer counts. */
export async function submitChallenge(call: PageCall, reference: string): Promise<HttpReply> {
  const form = await submittedFields(call);
  if ("refusal" in form) return form.refusal;
  const { answer } = form.fields;
  const isAnswer =
    (answer === "complete" || answer === "fail") && call.hasFormToken("challenge", reference, form.fields);
  if (!isAnswer) {
    // Nothing was chosen, or the form is out of date: show the page again, if there is one.
    await call.perform(viewChallenge, { reference });
    return seeOther(readerOf(call).link(challengePathOf(reference)));
  }
  const { return_url } = await call.perform(answerChallenge, { reference, answer });
  return redirectTo(call, return_url);
}
