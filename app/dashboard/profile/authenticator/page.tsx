// Setting up an authenticator app, or replacing the one that is set up, from the profile.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { AuthenticatorForm } from "./_parts/authenticator-form";

export async function generateMetadata(): Promise<Metadata> {
  const [t, { replaces }] = await Promise.all([getTranslations("factors"), state()]);
  return { title: t(replaces ? "replaceTitle" : "setUpTitle") };
}

/** Whether the reader has an authenticator app. */
const state = cache(async () => {
  await requireUser("/dashboard/profile/authenticator");
  const caller = await api();
  const { totp_since: since } = await caller.factors.own({});
  return { replaces: since !== null };
});

export default async function AuthenticatorPage() {
  const { replaces } = await state();
  const [t, profile] = await Promise.all([getTranslations("factors"), getTranslations("profile")]);
  return (
    <div className={classes.page}>
      <PageHead
        title={t(replaces ? "replaceTitle" : "setUpTitle")}
        back={{ href: "/dashboard/profile", label: profile("title") }}
      />
      <Card padded>
        <AuthenticatorForm replaces={replaces} />
      </Card>
    </div>
  );
}
