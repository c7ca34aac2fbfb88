// Marks as done what needs attention; afterwards the reloaded page no longer names it.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useOutcome } from "@/app/_ui/outcome";
import { usePageReading } from "@/app/_ui/page-reading";

/** The payment request whose customer asked for a new link, or the payment with an unexpected dispute. */
type Props = { of: "linkRequest"; id: string } | { of: "dispute"; id: string; reportedAt: string };

export function Dismiss(props: Props) {
  const { id } = props;
  const t = useTranslations("attention");
  const api = useTRPCClient();
  const { announce, refuse } = useOutcome();
  const { isReading, readAgain } = usePageReading();
  const button = useRef<HTMLButtonElement>(null);
  const dismiss = useMutation({
    mutationFn: async () => {
      if (props.of === "dispute") {
        // What the provider has reported since stays listed.
        await api.transactions.dismissDispute.mutate({ transaction_id: id, reported_at: props.reportedAt });
      } else await api.payments.dismissLinkRequest.mutate({ payment_id: id });
    },
    onSuccess: () => readAgain(() => announce(t("dismissed"), button.current)),
    onError: refuse,
  });
  return (
    <Button
      ref={button}
      variant="default"
      size="compact-sm"
      loading={dismiss.isPending || isReading}
      onClick={() => dismiss.mutate()}
    >
      {t("dismiss")}
    </Button>
  );
}
