// The dashboard's main navigation; marks the page one is on.
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import classes from "./nav-links.module.css";

const pages = [
  ["/dashboard/payment-requests", "paymentRequests"],
  ["/dashboard/transactions", "transactions"],
] as const;

export function NavLinks() {
  const t = useTranslations("shell");
  const path = usePathname();
  return (
    <nav aria-label={t("navigation")} className={classes.links}>
      {pages.map(([href, key]) => (
        <Link key={href} href={href} className={classes.link} aria-current={currentMark(path, href)}>
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
