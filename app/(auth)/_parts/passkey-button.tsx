// Signs in with a passkey, without e-mail address and password.
"use client";
import { Button } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { usePasskeys } from "@/app/_trpc/passkeys";
import { Refusal } from "@/app/_ui/refusal";
import own from "./code-form.module.css";

export function PasskeyButton({ onDone }: { onDone(): void }) {
  const t = useTranslations("signIn");
  const passkeys = usePasskeys();
  const mutation = useMutation({ mutationFn: () => passkeys.signIn(), onSuccess: onDone });
  return (
    <div className={own.passkey}>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={mutation.isPending || mutation.isSuccess}
        onClick={() => mutation.mutate()}
      >
        {t("passkey")}
      </Button>
      <p role="alert" className={own.problem}>
        {mutation.error && <Refusal error={mutation.error} />}
      </p>
    </div>
  );
}
