// Retries a failed job; afterwards the reloaded list no longer contains it.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useTRPC } from "@/app/_trpc/client";
import { useOutcome } from "@/app/_ui/outcome";
import { usePageReading } from "@/app/_ui/page-reading";

export function RetryJob({ id, name }: { id: string; name: string }) {
  const t = useTranslations("jobs");
  const trpc = useTRPC();
  const { announce, refuse } = useOutcome();
  const { isReading, readAgain } = usePageReading();
  const button = useRef<HTMLButtonElement>(null);
  const retry = useMutation(
    trpc.jobs.retry.mutationOptions({
      onSuccess: () => readAgain(() => announce(t("retried", { job: name }), button.current)),
      onError: refuse,
    }),
  );
  return (
    <Button
      ref={button}
      variant="default"
      size="compact-sm"
      loading={retry.isPending || isReading}
      aria-label={t("retryOf", { job: name })}
      onClick={() => retry.mutate({ job_id: id })}
    >
      {t("retry")}
    </Button>
  );
}
