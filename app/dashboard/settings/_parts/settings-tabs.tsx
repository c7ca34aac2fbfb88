// The pages of the settings, as tabs. The same readers may open all of them.
import { getTranslations } from "next-intl/server";
import { TabLinks } from "@/app/_ui/tab-links";

const pages = ["organization", "security", "mail"] as const;

export async function SettingsTabs({ current }: { current: (typeof pages)[number] }) {
  const t = await getTranslations("settings");
  const tabs = pages.map((page) => ({
    href: `/dashboard/settings/${page}`,
    label: t(page),
    isCurrent: page === current,
  }));
  return <TabLinks label={t("pages")} tabs={tabs} />;
}
