// The account of a page, as its viewer may see it.
import { notFound } from "next/navigation";
import { cache } from "react";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { failureOf } from "@/server/pipeline/trpc-router";

export const listPath = "/dashboard/accounts";

export const pathOf = (id: string): string => `${listPath}/${encodeURIComponent(id)}`;

/** The account, or the not-found page if it does not exist or the reader may not see it. */
const accountOf = cache(async (id: string) => {
  const caller = await api();
  try {
    return await caller.accounts.get({ account_id: id });
  } catch (error) {
    if (failureOf(error).code === "account_not_found") notFound();
    throw error;
  }
});

/** The signed-in reader and the account. `below` is the rest of the page's path. */
export async function readerOf(id: string, below = "") {
  const user = await requireUser(pathOf(id) + below);
  return { user, account: await accountOf(id) };
}
