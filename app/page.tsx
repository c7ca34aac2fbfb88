// The root address redirects to the dashboard, or to the sign-in page first.
import { redirect } from "next/navigation";
import { currentUser } from "./_trpc/session";

export default async function RootPage(): Promise<never> {
  redirect((await currentUser()) === null ? "/sign-in" : "/dashboard");
}
