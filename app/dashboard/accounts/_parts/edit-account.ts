// Saving a changed account: only what was changed is sent, and nothing of what somebody else has saved is lost unseen.
"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { refusalCode } from "@/app/_trpc/refusal";
import { useAccountForm } from "./account-form";
import { type AccountValues, changesOf, merged } from "./account-values";

export interface Saved {
  /** What is saved now. */
  values: AccountValues;
  /** Its version, as `If-Match` takes it. */
  version: string;
}

/** `saved` comes with the page; the page is read again when somebody else has changed the account meanwhile. */
export function useEditAccount(id: string, saved: Saved) {
  const router = useRouter();
  const api = useTRPCClient();
  const { keyFor } = useIdempotencyKey();
  const [base, setBase] = useState(saved);
  const [clashes, setClashes] = useState<Readonly<Record<string, string>>>({});
  const [isReading, startReading] = useTransition();

  async function save(typed: AccountValues): Promise<void> {
    const changes = changesOf(base.values, typed);
    if (Object.keys(changes).length === 0) return;
    const input = { account_id: id, ...changes };
    const ifMatch = base.version;
    setClashes({});
    try {
      await api.accounts.update.mutate(input, { context: { ifMatch, idempotencyKey: keyFor({ input, ifMatch }) } });
    } catch (error) {
      if (refusalCode(error) === "version_conflict") startReading(() => router.refresh());
      throw error;
    }
  }

  const account = useAccountForm(saved.values, save, () => {
    router.push(`/dashboard/accounts/${id}`);
    router.refresh();
  });
  const { form, isSending } = account;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a version that was read anew changes anything.
  useEffect(() => {
    if (saved.version === base.version) return;
    const { values, clashes: found } = merged(base.values, form.getValues(), saved.values);
    form.setValues(values);
    setClashes(found);
    setBase(saved);
  }, [saved.version]);

  return { ...account, clashes, isSending: isSending || isReading };
}
