// For the pages of /second-factor: the user who must set one up, and where to go afterwards.
import { redirect } from "next/navigation";
import { currentUser } from "@/app/_trpc/session";
import type { Leave } from "@/app/dashboard/profile/_parts/recovery-codes";
import { ownPath } from "./own-path";

export interface EnrollmentProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

/** The signed-in user who lacks a required second factor. Redirects anyone else to sign in, or to `next`. */
export async function enrollee(searchParams: EnrollmentProps["searchParams"]) {
  const next = ownPath((await searchParams).next);
  const query = `?next=${encodeURIComponent(next)}`;
  const user = (await currentUser()) ?? redirect(`/sign-in${query}`);
  if (!user.must_set_up_factor) redirect(next);
  const leave: Leave = { cancel: `/second-factor${query}`, done: next };
  return { user, query, leave };
}
