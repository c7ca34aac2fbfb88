// The account's pay page with the color and logo of the form.
"use client";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { PayPageFrame } from "../../_parts/preview/pay-page-frame";

interface Props {
  accountId: string;
  /** As typed; anything but `#rrggbb` shows the product's own color. */
  color: string;
  /** The path of the logo, which the server already knows. */
  logo: string | null;
}

const typingMs = 200;

export function PagePreview({ accountId, color, logo }: Props) {
  const t = useTranslations("accountForm");
  const [shown] = useDebouncedValue(color.trim(), typingMs);
  const { data, isError } = useQuery({
    queryKey: ["page-preview", accountId, shown, logo],
    queryFn: () => readPreview(accountId, shown),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <PayPageFrame title={t("previewTitle")} html={data ?? ""} problem={isError ? "failed" : null} />;
}

async function readPreview(accountId: string, color: string): Promise<string> {
  const response = await fetch(`/dashboard/accounts/${accountId}/preview?${new URLSearchParams({ color })}`);
  if (!response.ok) throw new Error(`The preview answered ${response.status}.`);
  return response.text();
}
