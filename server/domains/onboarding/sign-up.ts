// Decides who may sign up without an invitation, and which organization a sign-up joins.
import type { Reader } from "@/db/client";
import { firstOrganization } from "@/server/domains/organizations/organization";
import { isOnlyLocal } from "@/server/kit/reach";
import type { Env } from "@/server/process/env";
import type { Runtime } from "@/server/process/runtime";

/**
 * Who may sign up, as SIGNUP sets it. Without SIGNUP: everyone if the organization is in sandbox mode and only this
 * machine reaches the app, otherwise no one.
 */
export function whoMaySignUp(env: Env, organization: { mode: "sandbox" | "live" }): "open" | "invite" | "closed" {
  return env.signup ?? (organization.mode === "sandbox" && isOnlyLocal(env) ? "open" : "closed");
}

/** The organization that a sign-up joins: the instance's first one. Null if sign-up is not open. */
export async function organizationToSignUpTo(q: Reader, env: Env): Promise<{ id: string; name: string } | null> {
  const organization = await firstOrganization(q);
  return organization && whoMaySignUp(env, organization) === "open" ? organization : null;
}

/** Who may sign up at the process's start, for its log. The first request through a proxy may close sign-up later. */
export async function signUpAtStart({ db, env }: Pick<Runtime, "db" | "env">): Promise<"open" | "invite" | "closed"> {
  return whoMaySignUp(env, (await firstOrganization(db.read)) ?? { mode: "sandbox" });
}
