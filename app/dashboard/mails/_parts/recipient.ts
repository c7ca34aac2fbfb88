// The recipient of a mail, or a text if the address has been erased.
import type { useTranslations } from "next-intl";

/** An erased address is a name without a domain: see `eraseMails` in server/domains/mails/store.ts. */
export const recipientOf = (t: ReturnType<typeof useTranslations<"mails">>, to: string): string =>
  to.includes("@") ? to : t("erased");
