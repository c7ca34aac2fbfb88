// Creates an account from the form's values.
"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useOutcome } from "@/app/_ui/outcome";
import { useAccountForm } from "./account-form";
import { type AccountValues, changesOf, emptyValues, entriesOf } from "./account-values";

/** Undefined for the caller, null for nobody. */
function ownerIdOf({ owner, owner_user_id }: AccountValues): string | null | undefined {
  if (owner === "other") return owner_user_id;
  return owner === "nobody" ? null : undefined;
}

export function useNewAccount() {
  const t = useTranslations("accountForm");
  const router = useRouter();
  const { announceNext } = useOutcome();
  const api = useTRPCClient();
  const { keyFor } = useIdempotencyKey();
  const [owner, setOwner] = useState(emptyValues.owner);

  async function create(typed: AccountValues) {
    const { preferences } = changesOf(emptyValues, typed);
    const input = {
      account_type: typed.account_type === "individual" ? ("individual" as const) : ("business" as const),
      account_name: typed.account_name.trim(),
      email: typed.email.trim(),
      owner_user_id: ownerIdOf(typed),
      preferences,
      metadata: Object.fromEntries(entriesOf(typed)),
    };
    return api.accounts.create.mutate(input, { context: { idempotencyKey: keyFor(input) } });
  }

  const account = useAccountForm(emptyValues, create, ({ account_id, account_name: name }) => {
    announceNext(t("created", { name }));
    router.push(`/dashboard/accounts/${account_id}`);
    router.refresh();
  });
  account.form.watch("owner", ({ value }) => setOwner(value));
  return { ...account, owner };
}
