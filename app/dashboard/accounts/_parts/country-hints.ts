// What tells which country the addresses of an account, and of its customers, are probably in.
import type { Hints } from "@/app/_i18n/country-options";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";

type Account = Pick<Outputs["accounts"]["get"], "preferences">;

/** The account's country, zone and language; of what it does not say, the reader's. */
export const hintsOf = (account: Account | undefined, reader: Viewer): Hints => ({
  country: account?.preferences.invoice.address?.country,
  timeZone: account?.preferences.timezone ?? reader.timeZone,
  locale: account?.preferences.locale ?? reader.locale,
});
