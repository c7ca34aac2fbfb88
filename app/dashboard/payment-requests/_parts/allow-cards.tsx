// Lets payers of a payment request try cards again; afterwards the reloaded page no longer says that they cannot.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useActKey } from "@/app/_trpc/idempotency-key";
import { useOutcome } from "@/app/_ui/outcome";
import { usePageReading } from "@/app/_ui/page-reading";

export function AllowCards({ id }: { id: string }) {
  const t = useTranslations("paymentActs");
  const api = useTRPCClient();
  const { announce, refuse } = useOutcome();
  const { isReading, readAgain } = usePageReading();
  const { key, answered } = useActKey();
  const button = useRef<HTMLButtonElement>(null);
  const allow = useMutation({
    mutationFn: () => api.payments.allowCards.mutate({ payment_id: id }, { context: { idempotencyKey: key() } }),
    onSuccess: () => readAgain(() => announce(t("cardsAllowed"), button.current)),
    onError(error) {
      answered(error);
      refuse(error);
    },
  });
  return (
    <Button
      ref={button}
      variant="default"
      size="compact-sm"
      loading={allow.isPending || isReading}
      onClick={() => allow.mutate()}
    >
      {t("allowCards")}
    </Button>
  );
}
