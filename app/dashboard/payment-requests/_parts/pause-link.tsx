// Pauses a reusable link, or resumes it; afterwards the reloaded page shows the other button.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useOutcome } from "@/app/_ui/outcome";
import { usePageReading } from "@/app/_ui/page-reading";

export function PauseLink({ id, isPaused }: { id: string; isPaused: boolean }) {
  const t = useTranslations("paymentActs");
  const api = useTRPCClient();
  const { announce, refuse } = useOutcome();
  const { isReading, readAgain } = usePageReading();
  const { keyFor, renew, answered } = useIdempotencyKey();
  const button = useRef<HTMLButtonElement>(null);
  const change = useMutation({
    mutationFn(paused: boolean) {
      const input = { payment_id: id, paused };
      return api.payments.update.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    },
    onSuccess(answer) {
      renew();
      readAgain(() => announce(t(answer.paused ? "linkPaused" : "linkResumed"), button.current));
    },
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
      loading={change.isPending || isReading}
      onClick={() => change.mutate(!isPaused)}
    >
      {t(isPaused ? "resumeLink" : "pauseLink")}
    </Button>
  );
}
