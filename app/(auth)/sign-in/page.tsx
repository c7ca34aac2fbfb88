// The sign-in page. Signed-in users are redirected at once.
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currentUser } from "@/app/_trpc/session";
import { ownPath } from "../_parts/own-path";
import { SignInForm } from "../_parts/sign-in-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("signIn");
  return { title: t("title") };
}

interface Props {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: Props) {
  const next = ownPath((await searchParams).next);
  if ((await currentUser()) !== null) redirect(next);
  return <SignInForm next={next} />;
}
