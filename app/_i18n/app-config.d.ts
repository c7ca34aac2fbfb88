// Makes the keys and arguments of every message part of the types.
import type messages from "@/messages/en.json";

declare module "next-intl" {
  interface AppConfig {
    Locale: "en" | "de";
    Messages: typeof messages;
  }
}
