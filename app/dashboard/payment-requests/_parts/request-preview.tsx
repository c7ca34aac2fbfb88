// What the customer gets of the payment request that somebody is writing, beside the form: its pay page, or its invoice.
"use client";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useNow } from "@/app/_ui/organization-time";
import { FrameChoice } from "../../_parts/preview/frame-choice";
import { PayPageFrame } from "../../_parts/preview/pay-page-frame";
import type { RequestValues } from "./request-values";
import { shownInvoiceOf, shownOf } from "./shown-values";

const typingMs = 300;

/** What can be previewed, and where. */
const pages = {
  page: { address: "/dashboard/payment-requests/preview", shownOf },
  invoice: { address: "/dashboard/payment-requests/preview/invoice", shownOf: shownInvoiceOf },
} as const;
type Shown = keyof typeof pages;
const names = Object.keys(pages) as Shown[];

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
  const [chosen, setChosen] = useState<Shown>("page");
  const isInvoice = values.type === "invoice";
  const shown = isInvoice ? chosen : "page";
  const { address, shownOf: contentOf } = pages[shown];
  const typed = JSON.stringify([address, contentOf(values, locale, now())]);
  const [asked] = useDebouncedValue(typed, typingMs);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["request-preview", asked],
    queryFn: () => readPreview(asked),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <PayPageFrame
      title={t(shown === "page" ? "previewTitle" : "invoicePreviewTitle")}
      html={data ?? ""}
      isBehind={typed !== asked || isPlaceholderData}
      problem={problemOf(error)}
      heading={
        isInvoice && (
          <FrameChoice<Shown>
            name="preview_shown"
            label={t("previewShown")}
            choices={names.map((value) => ({ value, label: t(`previews.${value}`) }))}
            chosen={chosen}
            onChoose={setChosen}
          />
        )
      }
    />
  );
}

async function readPreview(asked: string): Promise<string> {
  const [address, content] = JSON.parse(asked) as [string, unknown];
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(content) });
  if (!response.ok) throw new RefusedPreview(response.status);
  return response.text();
}
