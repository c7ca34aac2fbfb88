// The dashboard's main navigation; marks the current page.
"use client";
import { IconArrowsExchange, IconBuildingStore, IconFileInvoice } from "@tabler/icons-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { Link } from "@/app/_ui/link";
import classes from "./nav-links.module.css";

const pages = [
  ["/dashboard/payment-requests", "paymentRequests", IconFileInvoice],
  ["/dashboard/transactions", "transactions", IconArrowsExchange],
  ["/dashboard/accounts", "accounts", IconBuildingStore],
] as const;

/** `onLeave` is called when the reader follows a link. */
export function NavLinks({ onLeave }: { onLeave?(): void }) {
  const t = useTranslations("shell");
  const path = usePathname();
  return (
    <nav aria-label={t("navigation")} className={classes.links}>
      {pages.map(([href, key, Icon]) => (
        <Link key={href} href={href} className={classes.link} aria-current={currentMark(path, href)} onClick={onLeave}>
          <Icon size={18} stroke={1.75} aria-hidden className={classes.icon} />
          {t(key)}
        </Link>
      ))}
    </nav>
  );
}

function currentMark(path: string, href: string): "page" | "true" | undefined {
  if (path === href) return "page";
  return path.startsWith(`${href}/`) ? "true" : undefined;
}
