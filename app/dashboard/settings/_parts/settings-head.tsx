// The head of each page of the settings: their title, and the pages that the reader may open as tabs.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { userMay } from "@/app/_trpc/may";
import { currentUser } from "@/app/_trpc/session";
import { PageHead } from "@/app/_ui/page-frame";
import { TabLinks } from "@/app/_ui/tab-links";

const pages = ["organization", "security", "mail", "sandbox", "server"] as const;

type SettingsPage = (typeof pages)[number];

/** "Mail · Settings": as the tab of the page and the heading over all. The search over everything names pages so too. */
export async function settingsTitle(page: SettingsPage): Promise<Metadata> {
  const t = await getTranslations("settings");
  return { title: `${t(page)} · ${t("pages")}` };
}

interface Props {
  current: SettingsPage;
  action?: ReactNode;
}

export async function SettingsHead({ current, action }: Props) {
  const [t, user] = await Promise.all([getTranslations("settings"), currentUser()]);
  const maySeeServer = user !== null && userMay(user, "instance.read");
  const isSandbox = user?.organization.mode === "sandbox";
  const hidden = [...(maySeeServer ? [] : ["server"]), ...(isSandbox ? [] : ["sandbox"])];
  const shown = pages.filter((page) => !hidden.includes(page));
  const tabs = shown.map((page) => ({
    href: `/dashboard/settings/${page}`,
    label: t(page),
    isCurrent: page === current,
  }));
  return (
    <>
      <PageHead title={t("pages")} action={action} />
      <TabLinks label={t("pages")} tabs={tabs} />
    </>
  );
}
