// Types the keys and arguments of every message.
import type messages from "@/messages/en.json";
import type { Language } from "@/server/kit/languages";

declare module "next-intl" {
  interface AppConfig {
    Locale: Language;
    Messages: typeof messages;
  }
}
