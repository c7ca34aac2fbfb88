// Copies a payment request into a draft, and opens it.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useActKey } from "@/app/_trpc/idempotency-key";
import { useMenuWork } from "@/app/_ui/more-actions";
import { useOutcome } from "@/app/_ui/outcome";
import { editPath } from "./payment-path";

export function DuplicatePayment({ id }: { id: string }) {
  const t = useTranslations("paymentActs");
  const router = useRouter();
  const api = useTRPCClient();
  const { announceNext, refuse } = useOutcome();
  const { key, answered } = useActKey();
  const [isLeaving, startLeaving] = useTransition();
  const mutation = useMutation({
    mutationFn: () => api.payments.duplicate.mutate({ payment_id: id }, { context: { idempotencyKey: key() } }),
    onSuccess({ payment_id: copy }) {
      announceNext(t("duplicated"));
      startLeaving(() => router.push(editPath(copy)));
    },
    onError(error) {
      answered(error);
      refuse(error);
    },
  });
  const isAtWork = mutation.isPending || isLeaving;
  useMenuWork(isAtWork);
  return (
    <Button variant="default" loading={isAtWork} onClick={() => mutation.mutate()}>
      {t("duplicate")}
    </Button>
  );
}
