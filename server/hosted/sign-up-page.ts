// The page /sign-up: GET shows a form while sign-up is open, POST signs up. Does not reveal which addresses have users.

import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { viewSignUp } from "@/server/domains/onboarding/operations/view-sign-up";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { submittedFields } from "./answers";
import type { PageCall } from "./call";
import { type JoinProblem, joinDocument, joinStateDocument } from "./join-document";
import { problemOfFailure, problemOfFields } from "./join-problems";
import { signUpPath } from "./path";
import { readerOf } from "./reader";
import { pageReply, seeOther } from "./response";

interface Typed {
  email: string;
  name: string;
  problem: JoinProblem | null;
}

/** Shows the form, or what follows once it was sent. */
export function showSignUp(call: PageCall): Promise<HttpReply> {
  if (call.query.get("done") === null) return show(call, { email: "", name: "", problem: null }, 200);
  return Promise.resolve(pageReply(joinStateDocument("signedUp", readerOf(call)), 200));
}

/** Signs up. */
export async function submitSignUp(call: PageCall): Promise<HttpReply> {
  const form = await submittedFields(call);
  if ("refusal" in form) return form.refusal;
  const { password = "", name = "" } = form.fields;
  const email = (form.fields.email ?? "").trim().slice(0, limits.email);
  const problem = problemOfFields({ email, password, name });
  if (problem !== null) return show(call, { email, name, problem }, 400);
  try {
    await call.perform(createUser, { email, password, name: name.trim() || null });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, status, headers } = error;
    const known = problemOfFailure(code);
    if (known !== null) return show(call, { email, name, problem: known }, status, headers);
    // Closed meanwhile: the page itself says so. A taken address is answered like a new one.
    if (code === "signup_closed") return seeOther(readerOf(call).link(signUpPath));
    if (code !== "email_taken") throw error;
  }
  return seeOther(readerOf(call).link(signUpPath, { done: "1" }));
}

async function show(
  call: PageCall,
  typed: Typed,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const { organization } = await call.perform(viewSignUp, {});
  const reader = readerOf(call);
  if (organization === null) return pageReply(joinStateDocument("closed", reader), 404);
  return pageReply(joinDocument({ organization, role: null, ...typed, path: signUpPath }, reader), status, headers);
}
