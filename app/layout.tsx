// The frame of every page: language, colors before the first paint, client-side providers.
import "./_ui/tokens.css";
import "./_ui/mantine.css";
import "./_ui/base.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { earlySubmissionScript } from "./_ui/early-submission";
import { Providers } from "./_ui/providers";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("app");
  return {
    title: { default: t("name"), template: t("pageTitle", { page: "%s" }) },
    description: t("description"),
    robots: { index: false, follow: false },
  };
}

/** The texts of client components; the rest of the catalog stays on the server. */
const forClients = [
  "unverified",
  "email",
  "users",
  "invitations",
  "removeUser",
  "assignOwner",
  "sessions",
  "profile",
  "app",
  "signIn",
  "setup",
  "shell",
  "shortcuts",
  "palette",
  "status",
  "transactionType",
  "transactionReason",
  "attention",
  "password",
  "stepUp",
  "factors",
  "enrollment",
  "jobs",
  "list",
  "dialog",
  "newPayment",
  "recordPayment",
  "newTransaction",
  "refund",
  "exportSelection",
  "payLink",
  "paymentActs",
  "sendMail",
  "mails",
  "mailSettings",
  "organizationSettings",
  "securitySettings",
  "accountForm",
  "apiKeys",
  "closeAccount",
  "money",
  "copy",
  "form",
  "errors",
  "failure",
] as const;

async function clientMessages() {
  const messages = await getMessages();
  return Object.fromEntries(forClients.map((name) => [name, messages[name]]));
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, messages, incoming] = await Promise.all([getLocale(), clientMessages(), headers()]);
  const nonce = incoming.get("x-nonce") ?? undefined;
  return (
    <html lang={locale} dir="ltr" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: earlySubmissionScript }} />
      </head>
      <body>
        <NextIntlClientProvider messages={messages}>
          <Providers>{children}</Providers>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
