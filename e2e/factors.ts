// Second factors over HTTP: a dashboard session, an authenticator app in software, and the codes that it shows.
import { generateHOTP } from "@oslojs/otp";
import { stepOf } from "../server/domains/factors/totp";

/** Calls a tRPC mutation as a page does; resolves with its output, and throws if it was refused. */
type PageCall = (procedure: string, input: object) => Promise<Record<string, unknown>>;

/** What a page sends, besides its cookies. */
export const pageHeaders = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" };

/** Signs in to the dashboard of the server at `url`. */
export async function dashboardOf(url: string, email: string, password: string): Promise<PageCall> {
  let cookie = "";
  const call: PageCall = async (procedure, input) => {
    const headers = { ...pageHeaders, Cookie: cookie };
    const body = JSON.stringify(input);
    const response = await fetch(`${url}/api/trpc/${procedure}`, { method: "POST", headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${procedure} was refused: ${text}`);
    const session = response.headers.getSetCookie().find((set) => /^(__Host-)?quittance_session=/.test(set));
    cookie = session?.split(";")[0] ?? cookie;
    return JSON.parse(text).result.data;
  };
  await call("sessions.signIn", { email, password });
  return call;
}

/** Sets up an authenticator app for the user who calls. */
export async function setUpApp(call: PageCall): Promise<{ key: string; recoveryCodes: string[] }> {
  const key = String((await call("factors.setUpTotp", {})).key);
  const { recovery_codes: codes } = await call("factors.confirmTotp", { code: shownCode(key) });
  return { key, recoveryCodes: codes as string[] };
}

/** The code that the app with this key shows, `stepsLater` steps of 30 seconds from now. */
export const shownCode = (key: string, stepsLater = 0): string =>
  generateHOTP(bytesOf(key), BigInt(stepOf(Date.now()) + stepsLater), 6);

/** The bytes of a key in base32 (RFC 4648, section 6), as an authenticator app reads it. */
export function bytesOf(key: string): Uint8Array {
  const bits = [...key].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  return Uint8Array.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
