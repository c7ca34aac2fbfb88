// The user who views a page. Every page asks for itself: a layout is not rendered again on navigation.
import { TRPCError } from "@trpc/server";
import { redirect } from "next/navigation";
import { cache } from "react";
import { failureOf } from "@/server/pipeline/trpc-router";
import { api } from "./server";

/** The signed-in user, or null. */
export const currentUser = cache(async () => {
  const caller = await api();
  try {
    return await caller.users.current({});
  } catch (error) {
    if (error instanceof TRPCError && failureOf(error).code === "unauthorized") return null;
    throw error;
  }
});

/**
 * The signed-in user. Redirects anyone else to the sign-in page, and users who lack a required second factor to its
 * set-up page; both return to `path` afterwards.
 */
export async function requireUser(path: string) {
  const next = `?next=${encodeURIComponent(path)}`;
  const user = (await currentUser()) ?? redirect(`/sign-in${next}`);
  return user.must_set_up_factor ? redirect(`/second-factor${next}`) : user;
}
