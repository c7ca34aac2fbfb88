// The form for a new account: kind, name, e-mail, for admins also the owner, and optional preferences.
"use client";
import { Button, NativeSelect } from "@mantine/core";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { UserSelect } from "../../users/_parts/user-select";
import { ColorField, MetadataGroup, NameFields, PreferenceFields } from "./account-fields";
import own from "./account-fields.module.css";
import type { AccountChoices } from "./account-form";
import { useNewAccount } from "./new-account";

interface Props {
  choices: AccountChoices;
  /** Whether the reader may choose another owner, or none. */
  choosesOwner: boolean;
}

export function NewAccountForm({ choices, choosesOwner }: Props) {
  const t = useTranslations("accountForm");
  const { form, field, color, owner, formProps, isSending, summary } = useNewAccount();
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <NameFields form={form} field={field} isFirst />
      <NativeSelect
        key={form.key("account_type")}
        label={t("type")}
        data={[
          { value: "business", label: t("business") },
          { value: "individual", label: t("individual") },
        ]}
        {...field("account_type")}
      />
      {choosesOwner && (
        <NativeSelect
          key={form.key("owner")}
          label={t("owner")}
          description={t("ownerHelp")}
          data={[
            { value: "self", label: t("ownerSelf") },
            { value: "other", label: t("ownerOther") },
            { value: "nobody", label: t("ownerNobody") },
          ]}
          {...field("owner")}
        />
      )}
      {owner === "other" && (
        <UserSelect
          id="owner_user_id"
          name="owner_user_id"
          label={t("ownerUser")}
          nobody={t("chooseUser")}
          error={form.errors.owner_user_id}
          onUser={(id) => form.setFieldValue("owner_user_id", id)}
        />
      )}
      <details className={own.more}>
        <summary>{t("more")}</summary>
        <div className={classes.fields}>
          <PreferenceFields form={form} field={field} choices={choices}>
            <ColorField form={form} field={field} color={color} />
          </PreferenceFields>
          <MetadataGroup form={form} field={field} />
        </div>
      </details>
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("create")}
        </Button>
        <ButtonLink href="/dashboard/accounts" variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}
