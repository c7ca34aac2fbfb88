// Tabs as links, each with its own address: <TabLinks label={t("views")} tabs={[{ href, label, count, isCurrent }]} />.

import { useFormatter, useTranslations } from "next-intl";
import { Link } from "./link";
import classes from "./tab-links.module.css";
import { TabRow } from "./tab-row";

interface TabLink {
  href: string;
  label: string;
  count?: number;
  /** Whether `count` is an estimate. */
  isEstimate?: boolean;
  isCurrent: boolean;
}

export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  const format = useFormatter();
  const t = useTranslations("list");
  return (
    <TabRow label={label} current={tabs.find(({ isCurrent }) => isCurrent)?.href}>
      {tabs.map(({ href, label: name, count, isEstimate, isCurrent }) => (
        <Link
          key={href}
          href={href}
          scroll={false}
          className={classes.tab}
          aria-current={isCurrent ? "page" : undefined}
        >
          {name}
          {count !== undefined && (
            <span className={classes.count}>{isEstimate ? t("about", { count }) : format.number(count)}</span>
          )}
        </Link>
      ))}
    </TabRow>
  );
}
