// Resends the link that confirms the reader's e-mail address, and says so.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useOutcome } from "@/app/_ui/outcome";
import { Refusal } from "@/app/_ui/refusal";

export function SendVerification({ email }: { email: string }) {
  const t = useTranslations("unverified");
  const api = useTRPCClient();
  const { announce } = useOutcome();
  const { keyFor, renew, answered } = useIdempotencyKey();
  const mutation = useMutation({
    mutationFn: () => api.users.sendVerification.mutate({}, { context: { idempotencyKey: keyFor({}) } }),
    onSuccess() {
      // Another press sends another mail.
      renew();
      announce(t("sent", { email }), null);
    },
    onError: answered,
  });
  return (
    <>
      <Button size="compact-sm" variant="default" loading={mutation.isPending} onClick={() => mutation.mutate()}>
        {t("send")}
      </Button>
      {mutation.isError && (
        <span role="alert">
          <Refusal error={mutation.error} />
        </span>
      )}
    </>
  );
}
