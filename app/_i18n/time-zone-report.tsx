// Reports the browser's time zone to the server, once and whenever it changes.
"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { timeZoneCookie } from "./time-zone-cookie";

const yearSeconds = 31_536_000;

interface Props {
  /** The zone that the browser reported before; null if it has reported none. */
  known: string | null;
  /** The zone of the times on this page; null if other times would change nothing on it. */
  shown: string | null;
}

/** Renders nothing. The page is read again only if its times are in another zone than they should be. */
export function TimeZoneReport({ known, shown }: Props) {
  const router = useRouter();
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!zone || zone === known) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http.
    document.cookie = `${timeZoneCookie}=${zone}; path=/; max-age=${yearSeconds}; samesite=lax`;
    if (shown !== null && shown !== zone) router.refresh();
  }, [known, shown, router]);
  return null;
}
