// The page /forgot-password: GET shows a form, POST asks for a link by mail and answers alike for every address.

import { requestReset } from "@/server/domains/sessions/operations/request-reset";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { email as emailField } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { submittedFields } from "./answers";
import type { PageCall } from "./call";
import { type ForgotProblem, forgotDocument } from "./forgot-document";
import { forgotPath } from "./path";
import { readerOf } from "./reader";
import { pageReply, seeOther } from "./response";

/** Shows the form, or, once it was sent, what to expect. */
export async function showForgot(call: PageCall): Promise<HttpReply> {
  const hasMail = call.runtime.env.mail !== null;
  if (hasMail && call.query.get("sent") === null) return show(call, { problem: null }, 200);
  return pageReply(forgotDocument({ state: hasMail ? "sent" : "noMail", problem: null }, readerOf(call)), 200);
}

/** Asks for the link. */
export async function submitForgot(call: PageCall): Promise<HttpReply> {
  const form = await submittedFields(call);
  if ("refusal" in form) return form.refusal;
  const email = (form.fields.email ?? "").trim().slice(0, limits.email);
  if (!emailField.safeParse(email).success) return show(call, { problem: "email", email }, 400);
  try {
    await call.perform(requestReset, { email });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, status, headers } = error;
    if (code === "rate_limited") return show(call, { problem: "often", email }, status, headers);
    if (code === "unavailable") return show(call, { problem: "busy", email }, status, headers);
    throw error;
  }
  return seeOther(readerOf(call).link(forgotPath, { sent: "1" }));
}

const show = (
  call: PageCall,
  form: { problem: ForgotProblem | null; email?: string },
  status: number,
  headers?: Readonly<Record<string, string>>,
): HttpReply => pageReply(forgotDocument({ state: "form", ...form }, readerOf(call)), status, headers);
