// The page behind an invitation's link: GET shows the form, POST accepts. Opening it changes nothing.

import { viewInvitation } from "@/server/domains/invitations/operations/view";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { submittedFields } from "./answers";
import type { PageCall } from "./call";
import { type JoinProblem, joinDocument, joinStateDocument } from "./join-document";
import { problemOfFailure, problemOfFields } from "./join-problems";
import { otherUserPage, refusedToOther } from "./other-user";
import { invitationPathOf } from "./path";
import { readerOf } from "./reader";
import { pageReply, seeOther } from "./response";

/** Shows the form while the invitation is open. */
export const showInvitation = (call: PageCall, token: string): Promise<HttpReply> => show(call, token, null, 200);

/** Accepts the invitation and confirms it. */
export async function submitInvitation(call: PageCall, token: string): Promise<HttpReply> {
  const form = await submittedFields(call);
  if ("refusal" in form) return form.refusal;
  const { state } = await call.perform(viewInvitation, { token });
  const link = { path: invitationPathOf(token), userId: null };
  const refusal = state === "open" && (await refusedToOther(call, link, form.fields));
  if (refusal) return refusal;
  const { password = "", name = "" } = form.fields;
  const problem = problemOfFields({ password, name });
  if (problem !== null) return show(call, token, { problem, name }, 400);
  try {
    await call.perform(createUser, { invite_token: token, password, name: name.trim() || null });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, status, headers } = error;
    const known = code === "email_taken" ? "taken" : problemOfFailure(code);
    if (known !== null) return show(call, token, { problem: known, name }, status, headers);
    // Accepted, revoked or expired meanwhile: the page itself says so.
    if (!code.startsWith("invitation_")) throw error;
    return seeOther(readerOf(call).link(invitationPathOf(token)));
  }
  return seeOther(readerOf(call).link(invitationPathOf(token), { done: "1" }));
}

async function show(
  call: PageCall,
  token: string,
  submitted: { problem: JoinProblem; name: string } | null,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const { state, open } = await call.perform(viewInvitation, { token });
  const reader = readerOf(call, { locales: [open?.locale ?? null], timezone: null });
  if (open === null || state !== "open") {
    const isDone = state === "accepted" && call.query.get("done") !== null;
    const shown = isDone ? "done" : state === "open" ? "unknown" : state;
    return pageReply(joinStateDocument(shown, reader), state === "accepted" ? status : 404, headers);
  }
  const path = invitationPathOf(token);
  const other = await otherUserPage(call, { path, userId: null }, reader);
  if (other) return other;
  const { organization, email, role } = open;
  const name = submitted?.name ?? open.name ?? "";
  const problem = submitted?.problem ?? null;
  return pageReply(joinDocument({ organization, email, role, name, problem, path }, reader), status, headers);
}
