// Creates an account from the form's values, and finds its owner.
"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useOutcome } from "@/app/_ui/outcome";
import { useAccountForm } from "./account-form";
import { type AccountValues, changesOf, emptyValues, entriesOf } from "./account-values";

export function useNewAccount() {
  const t = useTranslations("accountForm");
  const router = useRouter();
  const { announceNext } = useOutcome();
  const api = useTRPCClient();
  const { keyFor } = useIdempotencyKey();
  const [owner, setOwner] = useState(emptyValues.owner);

  /** Undefined for the caller, null for nobody. An unknown e-mail address gives an id that no user has. */
  async function ownerId({ owner: kind, owner_email }: AccountValues): Promise<string | null | undefined> {
    if (kind !== "other") return kind === "nobody" ? null : undefined;
    const { data } = await api.users.list.query({ email: owner_email.trim(), status: ["active"], limit: 1 });
    return data[0]?.user_id ?? "";
  }

  async function create(typed: AccountValues) {
    const { preferences } = changesOf(emptyValues, typed);
    const input = {
      account_type: typed.account_type === "individual" ? ("individual" as const) : ("business" as const),
      account_name: typed.account_name.trim(),
      email: typed.email.trim(),
      owner_user_id: await ownerId(typed),
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
