// Why a mail was not sent, in words: a text for each code, else what the mail server said.
import type { useTranslations } from "next-intl";
import { mailReasons } from "@/server/domains/mails/schema";

export function mailReason(t: ReturnType<typeof useTranslations<"mails">>, error: string | null): string | null {
  const code = mailReasons.find((reason) => reason === error);
  return code === undefined ? error : t(`reasons.${code}`);
}
