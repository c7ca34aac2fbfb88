// Adds texts to those that the surrounding layouts have sent.
"use client";
import { type Messages, NextIntlClientProvider, useLocale, useMessages } from "next-intl";
import { type ReactNode, useMemo } from "react";

interface Props {
  texts: Partial<Messages>;
  children: ReactNode;
}

export function AddedTexts({ texts, children }: Props) {
  const locale = useLocale();
  const known = useMessages();
  const messages = useMemo(() => ({ ...known, ...texts }), [known, texts]);
  return (
    <NextIntlClientProvider locale={locale} messages={messages}>
      {children}
    </NextIntlClientProvider>
  );
}
