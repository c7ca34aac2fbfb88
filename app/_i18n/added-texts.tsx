// Adds texts to those that the surrounding layouts have sent. They come as JSON, one string: of an object, the server
// would walk through each value twice, when it sends the page and when it renders it.
"use client";
import { NextIntlClientProvider, useLocale, useMessages } from "next-intl";
import { type ReactNode, useMemo } from "react";

interface Props {
  /** Parts of the catalog, as {@link textsOf} writes them. */
  texts: string;
  children: ReactNode;
}

export function AddedTexts({ texts, children }: Props) {
  const locale = useLocale();
  const known = useMessages();
  const messages = useMemo(() => ({ ...known, ...JSON.parse(texts) }), [known, texts]);
  return (
    <NextIntlClientProvider locale={locale} messages={messages}>
      {children}
    </NextIntlClientProvider>
  );
}
