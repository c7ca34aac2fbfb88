// The form for an API key: name, what it may do, for which account, from where and until when. Then its secret, once.
"use client";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { AccountSelect } from "@/app/_ui/account-select";
import { ButtonLink } from "@/app/_ui/button-link";
import { firstField } from "@/app/_ui/first-field";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import { useNewKey } from "./new-key";
import { NewSecret } from "./new-secret";
import { ScopeFields } from "./scope-fields";

interface Props {
  scopes: readonly string[];
  /** Those that a key bound to one account can carry. */
  boundScopes: readonly string[];
}

const rows = 3;

export function NewKeyForm({ scopes, boundScopes }: Props) {
  const t = useTranslations("apiKeys");
  const shared = useTranslations("form");
  const { form, account, created, stepUpField, formProps, isSending, summary } = useNewKey(boundScopes);
  const field = (name: "name" | "account" | "addresses" | "expires") => ({
    ...{ id: name, name },
    ...form.getInputProps(name),
  });
  if (created) {
    return (
      <div className={classes.fields}>
        <NewSecret title={t("madeTitle", { name: created.name })} secret={created.secret} />
        <div className={classes.actions}>
          <ButtonLink href="/dashboard/api-keys">{t("done")}</ButtonLink>
        </div>
      </div>
    );
  }
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TextInput
        key={form.key("name")}
        label={t("name")}
        description={t("nameHelp")}
        autoComplete="off"
        maxLength={limits.name}
        {...firstField(field("name"))}
      />
      <AccountSelect
        key={form.key("account")}
        label={t("account")}
        description={t("accountHelp")}
        nothing={t("everywhere")}
        {...field("account")}
      />
      <ScopeFields form={form} scopes={account === "" ? scopes : boundScopes} isBound={account !== ""} />
      <Textarea
        key={form.key("addresses")}
        label={shared("optional", { label: t("addresses") })}
        description={t("addressesHelp")}
        autoComplete="off"
        rows={rows}
        maxLength={limits.allowedAddresses.entries * (limits.allowedAddresses.entry + 1)}
        {...field("addresses")}
      />
      <TextInput
        key={form.key("expires")}
        type="date"
        label={shared("optional", { label: t("expires") })}
        description={t("expiresHelp")}
        {...field("expires")}
      />
      {stepUpField}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("createConfirm")}
        </Button>
        <ButtonLink href="/dashboard/api-keys" variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}
