// Uploads and removes the logo of an account, at once and apart from the form around it.
"use client";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { refusalCode, useRefusalText } from "@/app/_trpc/refusal";
import { useOutcome } from "@/app/_ui/outcome";
import { usePageReading } from "@/app/_ui/page-reading";
import { limits } from "@/server/kit/limits";

const megabyte = 1024 ** 2;
const million = 1_000_000;

/** Refused here, so that nobody waits for the upload of a file that the server would refuse. */
class TooManyBytes extends Error {}

/** `set(file)` uploads, `set(null)` removes. The page is read again afterwards. `problem` is why the last try failed. */
export function useLogoUpload(accountId: string) {
  const t = useTranslations("accountForm");
  const api = useTRPCClient();
  const { keyFor, renew, answered } = useIdempotencyKey();
  const { announce } = useOutcome();
  const { isReading, readAgain } = usePageReading();
  const refusalText = useRefusalText();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (file: File | null) => {
      if (file && file.size > limits.logo.bytes) throw new TooManyBytes();
      const input = { account_id: accountId, image: file && (await base64Of(file)) };
      return api.accounts.setLogo.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    },
    onError: (failure) => answered(failure),
    onSuccess: (_, file) => {
      renew();
      readAgain(() => announce(t(file ? "logoSaved" : "logoRemoved"), null));
    },
  });
  const textOf = (failure: Error): string => {
    if (failure instanceof TooManyBytes) return t("logoTooManyBytes", { most: limits.logo.bytes / megabyte });
    const code = refusalCode(failure);
    if (code === "image_too_large") return t("logoTooManyPixels", { most: limits.logo.pixels / million });
    return code === "image_unreadable" ? t("logoUnreadable") : refusalText(failure);
  };
  return { set: mutate, isBusy: isPending || isReading, problem: error && textOf(error) };
}

/** The file's bytes in base64. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
