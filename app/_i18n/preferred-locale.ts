// The locale for the reader's numbers and dates, from the Accept-Language header (RFC 9110).
import { limits } from "@/server/kit/limits";

const fallback = "en";

/** The preferred locale among those that this Node can format; "en" if there is none. */
export function preferredLocale(acceptLanguage: string | null): string {
  const wanted = (acceptLanguage ?? "")
    .split(",", limits.acceptLanguage.tags)
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => quality > 0 && isSupported(tag))
    .sort((a, b) => b.quality - a.quality);
  return wanted[0]?.tag ?? fallback;
}

function isSupported(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
