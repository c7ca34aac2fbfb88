// Saves a changed account: sends only the changes, and never overwrites someone else's changes unseen.
"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { refusalCode } from "@/app/_trpc/refusal";
import { useOutcome } from "@/app/_ui/outcome";
import { usePageReading } from "@/app/_ui/page-reading";
import { useAccountForm } from "./account-form";
import { type AccountValues, changesOf, merged } from "./account-values";

export interface Saved {
  /** The saved values. */
  values: AccountValues;
  /** The version, for `If-Match`. */
  version: string;
}

/** `saved` comes from the page, which reloads when someone else has changed the account meanwhile. */
export function useEditAccount(id: string, saved: Saved) {
  const t = useTranslations("accountForm");
  const router = useRouter();
  const { announceNext } = useOutcome();
  const api = useTRPCClient();
  const { keyFor } = useIdempotencyKey();
  const [base, setBase] = useState(saved);
  const [clashes, setClashes] = useState<Readonly<Record<string, string>>>({});
  const { isReading, readAgain } = usePageReading();

  async function save(typed: AccountValues): Promise<void> {
    const changes = changesOf(base.values, typed);
    if (Object.keys(changes).length === 0) return;
    const input = { account_id: id, ...changes };
    const ifMatch = base.version;
    setClashes({});
    try {
      await api.accounts.update.mutate(input, { context: { ifMatch, idempotencyKey: keyFor({ input, ifMatch }) } });
    } catch (error) {
      if (refusalCode(error) === "version_conflict") readAgain();
      throw error;
    }
  }

  const account = useAccountForm(saved.values, save, () => {
    announceNext(t("saved"));
    router.push(`/dashboard/accounts/${id}`);
    router.refresh();
  });
  const { form, isSending } = account;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version changes anything.
  useEffect(() => {
    if (saved.version === base.version) return;
    const { values, clashes: found } = merged(base.values, form.getValues(), saved.values);
    form.setValues(values);
    setClashes(found);
    setBase(saved);
  }, [saved.version]);

  return { ...account, clashes, isSending: isSending || isReading };
}
