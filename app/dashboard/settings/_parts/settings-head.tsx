// The pages of the settings that the reader may open, as tabs.
import { getTranslations } from "next-intl/server";
import { userMay } from "@/app/_trpc/may";
import { currentUser } from "@/app/_trpc/session";
import { TabLinks } from "@/app/_ui/tab-links";

const pages = ["organization", "security", "mail", "sandbox", "server"] as const;

export async function SettingsTabs({ current }: { current: (typeof pages)[number] }) {
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
  return <TabLinks label={t("pages")} tabs={tabs} />;
}
