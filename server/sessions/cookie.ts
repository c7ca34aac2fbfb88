// The dashboard's session cookie: its name, how it is set, taken back and read.

interface Settings {
  appUrl: string;
  dashboardSessionMaxMs: number;
}

const isSecure = ({ appUrl }: Pick<Settings, "appUrl">): boolean => appUrl.startsWith("https:");

/** `__Host-` binds the cookie to this very host and to https, which a browser lets only https pages set. */
export const sessionCookieName = (settings: Pick<Settings, "appUrl">): string =>
  isSecure(settings) ? "__Host-quittance_session" : "quittance_session";

/** The `Set-Cookie` value that gives a browser the token, or with null takes it back. */
export function sessionCookie(settings: Settings, token: string | null): string {
  const seconds = token === null ? 0 : Math.floor(settings.dashboardSessionMaxMs / 1000);
  const secure = isSecure(settings) ? "; Secure" : "";
  const value = `${sessionCookieName(settings)}=${token ?? ""}`;
  return `${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The token in a `Cookie` header, or null. Of two cookies of the name neither is believed. */
export function readSessionCookie(settings: Pick<Settings, "appUrl">, header: string | null): string | null {
  const name = `${sessionCookieName(settings)}=`;
  const values = (header ?? "").split(";").flatMap((part) => {
    const pair = part.trim();
    return pair.startsWith(name) ? [pair.slice(name.length)] : [];
  });
  return values.length === 1 ? (values[0] ?? null) : null;
}
