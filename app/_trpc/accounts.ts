// The accounts that the viewer of a page works with.
import type { inferRouterInputs } from "@trpc/server";
import { type AppRouter, failureOf } from "@/server/pipeline/trpc-router";
import { userMay } from "./may";
import { api, type Outputs } from "./server";

type Input = inferRouterInputs<AppRouter>["accounts"]["list"];

/** A page of the organization's accounts if the user may list them, else of the user's own. */
export async function accountsFor(
  user: Outputs["users"]["current"] | null,
  input: Input,
): Promise<Outputs["accounts"]["list"]> {
  const { accounts } = await api();
  return user !== null && userMay(user, "accounts.list") ? accounts.list(input) : accounts.own(input);
}

/** The account, if it exists and the viewer may see it. */
export async function findAccount(id: string | undefined): Promise<Outputs["accounts"]["get"] | null> {
  if (id === undefined) return null;
  const caller = await api();
  try {
    return await caller.accounts.get({ account_id: id });
  } catch (error) {
    if (failureOf(error).code === "account_not_found") return null;
    throw error;
  }
}
