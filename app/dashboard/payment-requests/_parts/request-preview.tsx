// The pay page of the payment request that somebody is writing, beside the form.
"use client";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useNow } from "@/app/_ui/organization-time";
import { PayPageFrame } from "../../_parts/preview/pay-page-frame";
import type { RequestValues } from "./request-values";
import { shownOf } from "./shown-values";

const typingMs = 300;

class RefusedPreview extends Error {
  constructor(readonly status: number) {
    super(`The preview answered ${status}.`);
  }
}

/** Values that the server refuses stay refused; anything else may pass. */
function problemOf(error: Error | null): "invalid" | "failed" | null {
  if (error === null) return null;
  return error instanceof RefusedPreview && error.status === 400 ? "invalid" : "failed";
}

export function RequestPreview({ values, locale }: { values: RequestValues; locale: string }) {
  const t = useTranslations("newPayment");
  const now = useNow();
  const [shown] = useDebouncedValue(JSON.stringify(shownOf(values, locale, now())), typingMs);
  const { data, error } = useQuery({
    queryKey: ["request-preview", shown],
    queryFn: () => readPreview(shown),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <PayPageFrame title={t("previewTitle")} html={data ?? ""} problem={problemOf(error)} />;
}

async function readPreview(body: string): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/dashboard/payment-requests/preview", { method: "POST", headers, body });
  if (!response.ok) throw new RefusedPreview(response.status);
  return response.text();
}
