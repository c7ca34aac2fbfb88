// The dashboard's session and device cookies: names, setting, clearing and reading.
import { limits } from "@/server/kit/limits";

interface Settings {
  appUrl: string;
  dashboardSessionMaxMs: number;
}

const isSecure = ({ appUrl }: Pick<Settings, "appUrl">): boolean => appUrl.startsWith("https:");

/** The `__Host-` prefix binds the cookie to this host and to https; browsers accept it from https pages only. */
export const sessionCookieName = (settings: Pick<Settings, "appUrl">): string =>
  isSecure(settings) ? "__Host-quittance_session" : "quittance_session";

/** The `Set-Cookie` value that stores the token in a browser, or clears it if `token` is null. */
export function sessionCookie(settings: Settings, token: string | null): string {
  const seconds = token === null ? 0 : Math.floor(settings.dashboardSessionMaxMs / 1000);
  const secure = isSecure(settings) ? "; Secure" : "";
  const value = `${sessionCookieName(settings)}=${token ?? ""}`;
  return `${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** How long a browser counts as a known device of its users. */
export const deviceCookieMs = limits.kept.deviceCookieMs;

/** The device cookie outlives sessions, so that failed sign-ins elsewhere do not lock this browser out. */
export const deviceCookieName = (settings: Pick<Settings, "appUrl">): string =>
  isSecure(settings) ? "__Host-quittance_device" : "quittance_device";

/** The `Set-Cookie` value that stores the device token in a browser. */
export function deviceCookie(settings: Pick<Settings, "appUrl">, token: string): string {
  const secure = isSecure(settings) ? "; Secure" : "";
  const seconds = deviceCookieMs / 1000;
  return `${deviceCookieName(settings)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The value of a cookie in a `Cookie` header, or null if there is none or more than one of this name. */
export function readCookie(name: string, header: string | null): string | null {
  const prefix = `${name}=`;
  const values = (header ?? "").split(";").flatMap((part) => {
    const pair = part.trim();
    return pair.startsWith(prefix) ? [pair.slice(prefix.length)] : [];
  });
  return values.length === 1 ? (values[0] ?? null) : null;
}
