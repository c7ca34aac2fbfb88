// Retries all failed jobs; afterwards the reloaded list shows those that exceeded one call.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useTRPC } from "@/app/_trpc/client";
import { useOutcome } from "@/app/_ui/outcome";

export function RetryAll() {
  const t = useTranslations("jobs");
  const router = useRouter();
  const trpc = useTRPC();
  const { announce, refuse } = useOutcome();
  const button = useRef<HTMLButtonElement>(null);
  const retry = useMutation(
    trpc.jobs.retryAll.mutationOptions({
      onSuccess({ count, has_more }) {
        announce(t(has_more ? "retriedSome" : "retriedAll", { count }), button.current);
        router.refresh();
      },
      onError: refuse,
    }),
  );
  return (
    <Button ref={button} variant="default" loading={retry.isPending} onClick={() => retry.mutate({})}>
      {t("retryAll")}
    </Button>
  );
}
