// Retries all failed jobs; afterwards the reloaded list shows those that exceeded one call.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useTRPC } from "@/app/_trpc/client";
import { useOutcome } from "@/app/_ui/outcome";
import { usePageReading } from "@/app/_ui/page-reading";

export function RetryAll() {
  const t = useTranslations("jobs");
  const trpc = useTRPC();
  const { announce, refuse } = useOutcome();
  const { isReading, readAgain } = usePageReading();
  const button = useRef<HTMLButtonElement>(null);
  const retry = useMutation(
    trpc.jobs.retryAll.mutationOptions({
      onSuccess: ({ count, has_more }) =>
        readAgain(() => announce(t(has_more ? "retriedSome" : "retriedAll", { count }), button.current)),
      onError: refuse,
    }),
  );
  return (
    <Button ref={button} variant="default" loading={retry.isPending || isReading} onClick={() => retry.mutate({})}>
      {t("retryAll")}
    </Button>
  );
}
