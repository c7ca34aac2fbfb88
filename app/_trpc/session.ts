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

/** The signed-in user; anyone else goes to the sign-in page and returns to `path` afterwards. */
export async function requireUser(path: string) {
  return (await currentUser()) ?? redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
