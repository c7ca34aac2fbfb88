// How to report a vulnerability of this server: /.well-known/security.txt (RFC 9116), if the operator names a contact.
import type { HttpReply } from "@/server/http/exchange";
import { dayMs } from "@/server/kit/limits";
import { protectiveHeaders } from "@/server/kit/protective-headers";
import { notFound } from "./answers";
import type { PageCall } from "./call";

/** The text is true for so long: less than the year that RFC 9116, 2.5.5 recommends. */
const validMs = 90 * dayMs;

/** The file, which expires at a midnight so that it is the same all day; 404 without a contact. */
export async function showSecurityText(call: PageCall): Promise<HttpReply> {
  const { env, clock } = call.runtime;
  if (env.securityContact === null) return notFound(call);
  const today = clock.now() - (clock.now() % dayMs);
  const lines = [
    `Contact: ${env.securityContact}`,
    `Expires: ${new Date(today + validMs).toISOString()}`,
    "Preferred-Languages: en, de",
    `Canonical: ${env.appUrl}/.well-known/security.txt`,
  ];
  const headers = {
    ...protectiveHeaders,
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "public, max-age=3600",
    "Content-Type": "text/plain; charset=utf-8",
  };
  return { status: 200, headers, body: `${lines.join("\n")}\n` };
}
