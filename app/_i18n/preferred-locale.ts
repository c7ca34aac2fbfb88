// The locale whose numbers and dates the reader expects, from what the browser asks for (RFC 9110, Accept-Language).

const fallback = "en";
const mostEntries = 20;

/** The most wanted locale that this Node can format for; "en" if none is. */
export function preferredLocale(acceptLanguage: string | null): string {
  const wanted = (acceptLanguage ?? "")
    .split(",", mostEntries)
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
