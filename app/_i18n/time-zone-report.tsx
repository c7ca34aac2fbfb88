// Reports the browser's time zone to the server, once and whenever it changes.
"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { timeZoneCookie } from "./time-zone-cookie";

const yearSeconds = 31_536_000;

/** Renders nothing. `known` is the zone of this page as rendered, null if the server knows none. */
export function TimeZoneReport({ known }: { known: string | null }) {
  const router = useRouter();
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!zone || zone === known) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http.
    document.cookie = `${timeZoneCookie}=${zone}; path=/; max-age=${yearSeconds}; samesite=lax`;
    router.refresh();
  }, [known, router]);
  return null;
}
