// The dashboard's main navigation; marks the current page.
"use client";
import {
  IconAddressBook,
  IconArrowsExchange,
  IconBuildingStore,
  IconFileInvoice,
  IconHistory,
  IconHome,
  IconKey,
  IconMail,
  IconReceipt,
  IconRefreshAlert,
  IconRepeat,
  IconSettings,
  IconUsers,
} from "@tabler/icons-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { Link } from "@/app/_ui/link";
import { currentMark, home } from "./nav-current";
import classes from "./nav-links.module.css";
import { useNavPlace } from "./nav-place";

/** All pages of the menu. The shell says which of them the reader may not open. */
const pages = [
  [home, "home", IconHome],
  ["/dashboard/payment-requests", "paymentRequests", IconFileInvoice],
  ["/dashboard/invoices", "invoices", IconReceipt],
  ["/dashboard/subscriptions", "subscriptions", IconRepeat],
  ["/dashboard/transactions", "transactions", IconArrowsExchange],
  ["/dashboard/customers", "customers", IconAddressBook],
  ["/dashboard/accounts", "accounts", IconBuildingStore],
  ["/dashboard/users", "users", IconUsers],
  ["/dashboard/api-keys", "apiKeys", IconKey],
  ["/dashboard/mails", "mails", IconMail],
  ["/dashboard/audit-log", "auditLog", IconHistory],
  ["/dashboard/jobs", "jobs", IconRefreshAlert],
  ["/dashboard/settings", "settings", IconSettings],
] as const;

export type NavPage = (typeof pages)[number][1];

interface Props {
  /** Pages that the reader may not open. */
  hidden: readonly NavPage[];
  /** Called when the reader follows a link. */
  onLeave?(): void;
}

export function NavLinks({ hidden, onLeave }: Props) {
  const t = useTranslations("shell");
  const page = { path: usePathname(), type: useSearchParams().get("type"), list: useNavPlace() };
  return (
    <nav aria-label={t("navigation")} className={classes.links}>
      {pages
        .filter(([, key]) => !hidden.includes(key))
        .map(([href, key, Icon]) => (
          <Link
            key={href}
            href={href}
            className={classes.link}
            aria-current={currentMark(page, href)}
            onClick={onLeave}
          >
            <Icon size={18} stroke={1.75} aria-hidden className={classes.icon} />
            {t(key)}
          </Link>
        ))}
    </nav>
  );
}
