// The form that invites a person: address, role in plain words, and optionally an account. Then the link, once.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import { firstField } from "@/app/_ui/first-field";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import type { UserRole } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";
import { InvitationLink } from "./invitation-link";
import { useInvite } from "./invite";
import { invitationsPath } from "./user-path";

interface Props {
  roles: readonly UserRole[];
  /** Those whose users get an account. */
  rolesWithAccount: readonly UserRole[];
  /** The languages of the mail and the page. */
  languages: readonly { value: string; label: string }[];
  /** Whether the invitation is sent by mail. */
  hasMail: boolean;
}

export function InviteForm({ roles, rolesWithAccount, languages, hasMail }: Props) {
  const t = useTranslations("invitations");
  const users = useTranslations("users");
  const shared = useTranslations("form");
  const { form, role, hasAccount, account, invited, stepUpField, formProps, isSending, summary } =
    useInvite(rolesWithAccount);
  const field = (name: "email" | "name" | "role" | "locale") => ({
    ...{ id: name, name },
    ...form.getInputProps(name),
  });
  if (invited) return <InvitationLink {...invited} hasMail={hasMail} />;
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TextInput
        key={form.key("email")}
        type="email"
        label={users("email")}
        autoComplete="off"
        maxLength={limits.email}
        {...firstField(field("email"))}
      />
      <TextInput
        key={form.key("name")}
        label={shared("optional", { label: users("name") })}
        description={t("nameHelp")}
        autoComplete="off"
        maxLength={limits.name}
        {...field("name")}
      />
      <NativeSelect
        key={form.key("role")}
        label={users("role")}
        description={users(`meanings.${role}`)}
        data={roles.map((value) => ({ value, label: users(`roles.${value}`) }))}
        {...field("role")}
      />
      {hasAccount && <AccountFields form={form} account={account} />}
      <NativeSelect
        key={form.key("locale")}
        label={t("language")}
        description={t("languageHelp")}
        data={[{ value: "", label: t("languageOpen") }, ...languages]}
        {...field("locale")}
      />
      {stepUpField}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("confirm")}
        </Button>
        <ButtonLink href={invitationsPath} variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}

/** The type of the person's account, and its name if it is not named after the person. */
function AccountFields({ form, account }: Pick<ReturnType<typeof useInvite>, "form" | "account">) {
  const t = useTranslations("invitations");
  const field = (name: "account" | "accountName") => ({ ...{ id: name, name }, ...form.getInputProps(name) });
  return (
    <>
      <NativeSelect
        key={form.key("account")}
        label={t("account")}
        data={[
          { value: "", label: t("accountOwn") },
          { value: "business", label: t("accountBusiness") },
          { value: "individual", label: t("accountIndividual") },
        ]}
        {...field("account")}
      />
      {account !== "" && (
        <TextInput
          key={form.key("accountName")}
          label={t("accountName")}
          autoComplete="off"
          maxLength={limits.name}
          {...field("accountName")}
        />
      )}
    </>
  );
}
