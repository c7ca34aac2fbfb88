// Has all failed jobs tried again. What came of it stays in sight when the list is read again and the button is gone.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { useTRPC } from "@/app/_trpc/client";
import { Refusal } from "@/app/_ui/refusal";
import classes from "./retry-all.module.css";

export function RetryAll({ hasJobs }: { hasJobs: boolean }) {
  const t = useTranslations("jobs");
  const router = useRouter();
  const trpc = useTRPC();
  const outcome = useRef<HTMLParagraphElement>(null);
  const retry = useMutation(trpc.jobs.retryAll.mutationOptions({ onSuccess: () => router.refresh() }));
  const { data, error } = retry;
  // The button that had the focus may be gone by then.
  useEffect(() => {
    if (data || error) outcome.current?.focus();
  }, [data, error]);
  if (!hasJobs && !data && !error) return null;
  return (
    <div className={classes.bar}>
      {hasJobs && (
        <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate({})}>
          {t("retryAll")}
        </Button>
      )}
      {(data || error) && (
        <p ref={outcome} role="status" tabIndex={-1} className={error ? classes.refusal : classes.done}>
          {error ? (
            <Refusal error={error} />
          ) : (
            t(data?.has_more ? "retriedSome" : "retriedAll", { count: data?.count ?? 0 })
          )}
        </p>
      )}
    </div>
  );
}
