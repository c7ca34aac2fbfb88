// The sign-in page. Signed-in users are redirected at once.
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { api } from "@/app/_trpc/server";
import { currentUser } from "@/app/_trpc/session";
import { sessionEnds } from "@/app/_ui/ended-session";
import classes from "@/app/_ui/form.module.css";
import { relyingParty } from "@/server/domains/factors/relying-party";
import { runtime } from "@/server/process/runtime";
import { ownPath } from "../_parts/own-path";
import { SignInForm } from "../_parts/sign-in-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("signIn");
  return { title: t("title") };
}

interface Props {
  searchParams: Promise<{ next?: string | string[]; ended?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: Props) {
  const given = await searchParams;
  const next = ownPath(given.next);
  const ended = sessionEnds.find((end) => end === given.ended);
  if ((await currentUser()) !== null) redirect(next);
  const [t, { organization }, { env }] = await Promise.all([
    getTranslations("signIn"),
    (await api()).users.viewSignUp({}),
    runtime(),
  ]);
  return (
    <>
      {ended && <p role="status">{t(`ended.${ended}`)}</p>}
      <SignInForm next={next} offersPasskeys={relyingParty(env) !== null} />
      {organization !== null && (
        <p className={classes.below}>
          {/* A hosted page: it needs no script. */}
          <a href="/sign-up">{t("signUp")}</a>
        </p>
      )}
    </>
  );
}
