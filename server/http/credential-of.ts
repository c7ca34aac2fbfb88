// The credential by which limits tell callers apart, read as the part of the server that answers reads it.
import type { IncomingHttpHeaders } from "node:http";
import { bearerToken } from "@/server/domains/sessions/authenticate";
import { readCookie } from "@/server/domains/sessions/cookie";
import type { FaceName } from "./entrance";

/**
 * The REST interface goes by the bearer token alone, the dashboard by the cookie, hosted pages by neither. What else a
 * request carries, and how it spells the header, must not make one caller look like many.
 */
export const credentialOf =
  (cookieName: string) =>
  ({ authorization, cookie }: IncomingHttpHeaders, face: FaceName): string | null => {
    if (face === "rest") return bearerToken(authorization ?? null);
    return face === "pages" ? readCookie(cookieName, cookie ?? null) : null;
  };
