// The page behind a password-reset link: GET shows the form, POST sets the new password. Opening it changes nothing.

import { resetPassword, viewReset } from "@/server/domains/sessions/operations/reset-password";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { newPassword } from "@/server/secrets/password";
import { submittedFields } from "./answers";
import type { PageCall } from "./call";
import { otherUserPage, refusedToOther } from "./other-user";
import { resetPathOf } from "./path";
import { readerOf } from "./reader";
import { type ResetProblem, resetDocument } from "./reset-document";
import { pageReply, seeOther } from "./response";

/** Shows the form while the link is valid. */
export const showReset = (call: PageCall, token: string): Promise<HttpReply> => show(call, token, null, 200);

/** Sets the password and confirms it. */
export async function submitReset(call: PageCall, token: string): Promise<HttpReply> {
  const form = await submittedFields(call);
  if ("refusal" in form) return form.refusal;
  const { user_id: userId } = await call.perform(viewReset, { token });
  const refusal = userId && (await refusedToOther(call, { path: resetPathOf(token), userId }, form.fields));
  if (refusal) return refusal;
  const { new_password = "", otp = "" } = form.fields;
  if (!newPassword.safeParse(new_password).success) {
    return show(call, token, [...new_password].length < limits.password.min ? "short" : "long", 400);
  }
  try {
    await call.perform(resetPassword, { token, new_password, otp: otp.slice(0, limits.oneTimeCode) });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, status, headers } = error;
    if (code === "weak_password") return show(call, token, "weak", status);
    if (code === "mfa_required") return show(call, token, "codeMissing", status);
    if (code === "invalid_otp") return show(call, token, "codeWrong", status);
    if (code === "rate_limited" || code === "unavailable") return show(call, token, "busy", status, headers);
    // Used or expired meanwhile: the page itself says so.
    if (code !== "reset_link_invalid") throw error;
    return seeOther(readerOf(call).link(resetPathOf(token)));
  }
  return seeOther(readerOf(call).link(resetPathOf(token), { done: "1" }));
}

async function show(
  call: PageCall,
  token: string,
  problem: ResetProblem | null,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const { user_id: userId, ...link } = await call.perform(viewReset, { token });
  const other = userId && (await otherUserPage(call, { path: resetPathOf(token), userId }));
  if (other) return other;
  const isDone = link.state === "used" && call.query.get("done") !== null;
  const document = resetDocument({ ...link, isDone, problem, path: resetPathOf(token) }, readerOf(call));
  return pageReply(document, link.state === "expired" ? 404 : status, headers);
}
