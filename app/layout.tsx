// The frame of every page: language, colors before the first paint, client-side providers.
import "./_ui/tokens.css";
import "./_ui/mantine.css";
import "./_ui/mantine-variables.css";
import "./_ui/base.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { AddedTexts } from "./_i18n/added-texts";
import { textsOf } from "./_i18n/layout-with-texts";
import { earlySubmissionScript } from "./_ui/early-submission";
import { Providers } from "./_ui/providers";
import { typeface } from "./_ui/typeface";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("app");
  return {
    title: { default: t("name"), template: t("pageTitle", { page: "%s" }) },
    description: t("description"),
    robots: { index: false, follow: false },
  };
}

/** What client components of every page and of lists use. Layouts of other pages add their own (layoutWithTexts). */
const forClients = [
  "attention",
  "copy",
  "dialog",
  "errors",
  "exportSelection",
  "failure",
  "form",
  "list",
  "money",
  "palette",
  "shell",
  "shortcuts",
  "status",
  "stepUp",
  "transactionType",
  "unverified",
  "views",
] as const;

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, texts, incoming] = await Promise.all([getLocale(), textsOf(forClients), headers()]);
  const nonce = incoming.get("x-nonce") ?? undefined;
  return (
    <html lang={locale} dir="ltr" className={typeface} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: earlySubmissionScript }} />
      </head>
      <body>
        <NextIntlClientProvider messages={{}}>
          <AddedTexts texts={texts}>
            <Providers>{children}</Providers>
          </AddedTexts>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
