// The set-up page behind the one-time link: open while there is no user, closed for good afterwards.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "@/app/_ui/button-link";
import classes from "@/app/_ui/form.module.css";
import { hasAnyUser } from "@/server/domains/users/has-any-user";
import { runtime } from "@/server/process/runtime";
import { SetupForm } from "../_parts/setup-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("setup");
  // The address contains the token, so no other site may see it.
  return { title: t("title"), referrer: "no-referrer" };
}

interface Props {
  searchParams: Promise<{ token?: string | string[] }>;
}

export default async function SetupPage({ searchParams }: Props) {
  const { token } = await searchParams;
  const [t, { db }] = await Promise.all([getTranslations("setup"), runtime()]);
  const isClosed = await hasAnyUser(db.read);
  const hasToken = typeof token === "string" && token !== "";
  return (
    <>
      <h1 className={classes.title}>{t("title")}</h1>
      {isClosed && (
        <>
          <p className={classes.intro}>{t("closed")}</p>
          <ButtonLink href="/sign-in">{t("toSignIn")}</ButtonLink>
        </>
      )}
      {!isClosed && <p className={classes.intro}>{hasToken ? t("intro") : t("noToken")}</p>}
      {!isClosed && hasToken && <SetupForm token={token} />}
    </>
  );
}
