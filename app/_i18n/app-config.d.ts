// Types the keys and arguments of every message.
import type messages from "@/messages/en.json";

declare module "next-intl" {
  interface AppConfig {
    Locale: "en" | "de";
    Messages: typeof messages;
  }
}
