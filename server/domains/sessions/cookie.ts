// The dashboard's cookies, session and device: their names, how they are set, taken back and read.
import { limits } from "@/server/kit/limits";

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

/** How long a browser is known to those who have signed in with it. */
export const deviceCookieMs = limits.kept.deviceCookieMs;

/** Outlives sessions, so that failed tries elsewhere do not lock this browser out. */
export const deviceCookieName = (settings: Pick<Settings, "appUrl">): string =>
  isSecure(settings) ? "__Host-quittance_device" : "quittance_device";

/** The `Set-Cookie` value that gives a browser its device token. */
export function deviceCookie(settings: Pick<Settings, "appUrl">, token: string): string {
  const secure = isSecure(settings) ? "; Secure" : "";
  const seconds = deviceCookieMs / 1000;
  return `${deviceCookieName(settings)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The value of a cookie in a `Cookie` header, or null. Of two cookies of the name neither is believed. */
export function readCookie(name: string, header: string | null): string | null {
  const prefix = `${name}=`;
  const values = (header ?? "").split(";").flatMap((part) => {
    const pair = part.trim();
    return pair.startsWith(prefix) ? [pair.slice(prefix.length)] : [];
  });
  return values.length === 1 ? (values[0] ?? null) : null;
}
