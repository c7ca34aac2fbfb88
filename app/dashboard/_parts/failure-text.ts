// Says in the reader's language why a card or a refund was declined.
import type { useTranslations } from "next-intl";
import type messages from "@/messages/en.json";

interface Failure {
  code: string;
  /** The provider's own words. */
  message: string;
}

/** The text for a failure, in the provider's words if the catalog does not know its code. `t` is for "declines". */
export const failureText = (t: ReturnType<typeof useTranslations<"declines">>, { code, message }: Failure): string =>
  t.has(code as keyof typeof messages.declines) ? t(code as keyof typeof messages.declines) : message;
