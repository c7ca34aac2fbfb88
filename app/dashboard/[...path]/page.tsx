// Any other address of the dashboard: signed-in readers get the not-found page inside the shell.
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { requireUser } from "@/app/_trpc/session";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("notFound");
  return { title: t("title") };
}

export default async function UnknownPage({ params }: { params: Promise<{ path: string[] }> }) {
  await requireUser(`/dashboard/${(await params).path.join("/")}`);
  notFound();
}
