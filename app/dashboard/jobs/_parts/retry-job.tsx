// Has a failed job tried again; afterwards the list is read again and no longer has it.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import { Refusal } from "@/app/_ui/refusal";
import classes from "./retry-job.module.css";

export function RetryJob({ id, name }: { id: string; name: string }) {
  const t = useTranslations("jobs");
  const router = useRouter();
  const trpc = useTRPC();
  const retry = useMutation(trpc.jobs.retry.mutationOptions({ onSuccess: () => router.refresh() }));
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={retry.isPending}
        aria-label={t("retryOf", { job: name })}
        onClick={() => retry.mutate({ job_id: id })}
      >
        {t("retry")}
      </Button>
      <span role="status" className={retry.isError ? classes.refusal : "visually-hidden"}>
        {retry.isError ? <Refusal error={retry.error} /> : retry.isSuccess ? t("retried") : ""}
      </span>
    </>
  );
}
