// The page behind a link about an e-mail address: GET shows what it would do, POST does it. Opening it changes nothing.

import { useEmailLink, viewEmailLink } from "@/server/domains/addresses/operations/use-link";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { submittedFields } from "./answers";
import type { PageCall } from "./call";
import { emailDocument } from "./email-document";
import { isSignedIn, otherUserPage, refusedToOther } from "./other-user";
import { emailPathOf } from "./path";
import { readerOf } from "./reader";
import { pageReply, seeOther } from "./response";

/** Shows what the link would do, or what became of it. */
export async function showEmailLink(call: PageCall, token: string): Promise<HttpReply> {
  const { user_id: userId, ...link } = await call.perform(viewEmailLink, { token });
  const other = userId && (await otherUserPage(call, { path: emailPathOf(token), userId }));
  if (other) return other;
  const isDone = link.state === "used" && call.query.get("done") !== null;
  const document = emailDocument({ ...link, isDone, path: emailPathOf(token) }, readerOf(call));
  return pageReply(document, link.state === "expired" ? 404 : 200);
}

/** Uses the link and confirms it. */
export async function submitEmailLink(call: PageCall, token: string): Promise<HttpReply> {
  const form = await submittedFields(call);
  if ("refusal" in form) return form.refusal;
  const { link } = readerOf(call);
  const { user_id: userId } = await call.perform(viewEmailLink, { token });
  const refusal = userId && (await refusedToOther(call, { path: emailPathOf(token), userId }, form.fields));
  if (refusal) return refusal;
  try {
    const keepsFactors = userId !== null && (await isSignedIn(call, userId));
    await call.perform(useEmailLink, { token, keeps_factors: keepsFactors });
  } catch (error) {
    // Used, expired or taken meanwhile: the page itself says so.
    if (!(error instanceof Failure) || error.code !== "email_link_invalid") throw error;
    return seeOther(link(emailPathOf(token)));
  }
  return seeOther(link(emailPathOf(token), { done: "1" }));
}
