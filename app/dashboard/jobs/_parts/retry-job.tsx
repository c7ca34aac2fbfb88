// Retries a failed job; afterwards the reloaded list no longer contains it.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useTRPC } from "@/app/_trpc/client";
import { useOutcome } from "@/app/_ui/outcome";

export function RetryJob({ id, name }: { id: string; name: string }) {
  const t = useTranslations("jobs");
  const router = useRouter();
  const trpc = useTRPC();
  const { announce, refuse } = useOutcome();
  const button = useRef<HTMLButtonElement>(null);
  const retry = useMutation(
    trpc.jobs.retry.mutationOptions({
      onSuccess() {
        announce(t("retried", { job: name }), button.current);
        router.refresh();
      },
      onError: refuse,
    }),
  );
  return (
    <Button
      ref={button}
      variant="default"
      size="compact-sm"
      loading={retry.isPending}
      aria-label={t("retryOf", { job: name })}
      onClick={() => retry.mutate({ job_id: id })}
    >
      {t("retry")}
    </Button>
  );
}
