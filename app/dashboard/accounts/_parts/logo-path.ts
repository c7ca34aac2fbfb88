// Where the dashboard finds an account's logo: on its own host, whatever APP_URL is.
import type { Outputs } from "@/app/_trpc/server";

/** The path of the logo; null without one. */
export function logoPath({ branding }: Pick<Outputs["accounts"]["get"]["preferences"], "branding">): string | null {
  return branding.logo_url === null ? null : new URL(branding.logo_url).pathname;
}
