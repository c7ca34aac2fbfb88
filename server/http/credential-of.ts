// The credential by which limits distinguish callers, read as the part of the server that answers reads it.
import type { IncomingHttpHeaders } from "node:http";
import { bearerToken } from "@/server/domains/sessions/authenticate";
import { readCookie } from "@/server/domains/sessions/cookie";
import type { Surface } from "./entrance";

/**
 * REST uses only the bearer token, the dashboard only the cookie, hosted pages neither. Other credentials in the
 * request, or another spelling of the header, must not make one caller look like many.
 */
export const credentialOf =
  (cookieName: string) =>
  ({ authorization, cookie }: IncomingHttpHeaders, surface: Surface): string | null => {
    if (surface === "rest") return bearerToken(authorization ?? null);
    return surface === "pages" ? readCookie(cookieName, cookie ?? null) : null;
  };
