// The periods to choose from, each with its own address.
import { useTranslations } from "next-intl";
import { TabLinks } from "@/app/_ui/tab-links";
import { limits } from "@/server/kit/limits";
import { homeAddress, type Period } from "./home-address";

export function PeriodLinks({ days }: { days: Period }) {
  const t = useTranslations("home");
  const tabs = limits.overview.days.map((period) => ({
    href: homeAddress(period),
    label: t("periodLong", { days: period }),
    isCurrent: period === days,
  }));
  return <TabLinks label={t("periods")} tabs={tabs} />;
}
