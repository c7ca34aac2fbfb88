// The spelling of time zones.

/** Names that IANA prefers to those which the runtime still lists. */
const preferred =
  "America/Nuuk America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/Cordoba " +
  "America/Argentina/Jujuy America/Argentina/Mendoza America/Atikokan America/Indiana/Indianapolis " +
  "America/Kentucky/Louisville Africa/Asmara Asia/Ho_Chi_Minh Asia/Kathmandu Asia/Kolkata Asia/Yangon Atlantic/Faroe " +
  "Europe/Kyiv Pacific/Chuuk Pacific/Kanton Pacific/Pohnpei UTC GMT";

const spelled = new Map(
  [...Intl.supportedValuesOf("timeZone"), ...preferred.split(" ")].map((name) => [name.toLowerCase(), name]),
);

/**
 * A name of the time zone database of IANA in the spelling of its list: "Europe/Vienna" for "europe/vienna". A name
 * that the list has only as a link becomes the zone that it means. Null for any other text.
 */
export function spelledZone(name: string): string | null {
  try {
    return (
      spelled.get(name.toLowerCase()) ?? new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
    );
  } catch {
    return null;
  }
}
