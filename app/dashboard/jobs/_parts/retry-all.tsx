// Has all failed jobs tried again; afterwards the list is read again and has only those that one call leaves over.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import { Refusal } from "@/app/_ui/refusal";
import classes from "./retry-job.module.css";

export function RetryAll() {
  const t = useTranslations("jobs");
  const router = useRouter();
  const trpc = useTRPC();
  const retry = useMutation(trpc.jobs.retryAll.mutationOptions({ onSuccess: () => router.refresh() }));
  const { data, error } = retry;
  const done = data && t(data.has_more ? "retriedSome" : "retriedAll", { count: data.count });
  return (
    <>
      <Button loading={retry.isPending} onClick={() => retry.mutate({})}>
        {t("retryAll")}
      </Button>
      <span role="status" className={error ? classes.refusal : "visually-hidden"}>
        {error ? <Refusal error={error} /> : done}
      </span>
    </>
  );
}
