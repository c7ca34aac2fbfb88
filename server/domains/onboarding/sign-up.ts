// Who may sign up without being invited, and which organization they join.
import type { Reader } from "@/db/client";
import { firstOrganization } from "@/server/domains/organizations/organization";
import { hasSeenProxy } from "@/server/kit/peer";
import type { Env } from "@/server/process/env";
import type { Runtime } from "@/server/process/runtime";

/** Whether a host name or address leads to this machine alone. */
const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

/** Whether nobody but this machine reaches the app, as far as it can tell. */
const isOnlyLocal = ({ host, appUrl, trustedProxies }: Env): boolean =>
  isLoopback(host) && isLoopback(new URL(appUrl).hostname) && trustedProxies === null && !hasSeenProxy();

/**
 * Who may sign up: what SIGNUP says; without it everyone, as long as the organization is in the sandbox and only this
 * machine reaches the app, and nobody otherwise.
 */
export function whoMaySignUp(env: Env, organization: { mode: "sandbox" | "live" }): "open" | "invite" | "closed" {
  return env.signup ?? (organization.mode === "sandbox" && isOnlyLocal(env) ? "open" : "closed");
}

/** The organization that someone who signs up joins: the instance's first one. Null if signing up is not open. */
export async function organizationToSignUpTo(q: Reader, env: Env): Promise<{ id: string; name: string } | null> {
  const organization = await firstOrganization(q);
  return organization && whoMaySignUp(env, organization) === "open" ? organization : null;
}

/** Who may sign up when the process starts, for its log; the first request through a proxy may close it. */
export async function signUpAtStart({ db, env }: Pick<Runtime, "db" | "env">): Promise<"open" | "invite" | "closed"> {
  return whoMaySignUp(env, (await firstOrganization(db.read)) ?? { mode: "sandbox" });
}
