// Settings of the organization: name and defaults, what members may do, missed renewals, and who may sign up.
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currencyOptions } from "@/app/_i18n/currency-options";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api, type Outputs } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { DetailList } from "@/app/_ui/detail-list";
import { Card } from "@/app/_ui/page-frame";
import { afterLostDisputeRules, catchUpRules } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";
import { accountChoices } from "../../accounts/_parts/choices";
import { SettingsHead, settingsTitle } from "../_parts/settings-head";
import classes from "../settings.module.css";
import { CatchUpForm } from "./_parts/catch-up-form";
import { MembersForm } from "./_parts/members-form";
import { OrganizationForm } from "./_parts/organization-form";
import { RetentionForm } from "./_parts/retention-form";

type Settings = Outputs["organizations"]["get"];

export const generateMetadata = () => settingsTitle("organization");

export default async function OrganizationSettingsPage() {
  const user = await requireUser("/dashboard/settings/organization");
  if (!userMay(user, "organizations.read")) forbidden();
  const [t, { locale }, caller] = await Promise.all([getTranslations("organizationSettings"), viewer(), api()]);
  const settings = await caller.organizations.get({});
  const mayChange = userMay(user, "organizations.update");
  const { languages, timeZones } = accountChoices(locale, { language: settings.locale, timeZone: settings.timezone });
  const currencies = currencyOptions(locale, "current");
  const { policy, is_set, is_first } = settings.sign_up;
  const isOpen = is_first && policy === "open";
  return (
    <>
      <SettingsHead current="organization" />
      <div className={classes.parts}>
        <Card title={t("organization")}>
          {mayChange ? (
            <OrganizationForm settings={settings} choices={{ currencies, languages, timeZones }} />
          ) : (
            <DetailList items={defaultsOf(settings, t)} />
          )}
        </Card>
        <Card title={t("members")}>
          {mayChange ? (
            <MembersForm mayRecord={settings.members_record_payments} />
          ) : (
            <p className={classes.text}>{t(settings.members_record_payments ? "membersMay" : "membersMayNot")}</p>
          )}
        </Card>
        <Card title={t("subscriptions")}>
          {mayChange ? (
            <CatchUpForm
              choices={{ catchUp: catchUpRules, afterLostDispute: afterLostDisputeRules }}
              catchUp={settings.catch_up}
              afterLostDispute={settings.after_lost_dispute}
            />
          ) : (
            <>
              <p className={classes.text}>{t(`catchUpStates.${settings.catch_up}`)}</p>
              <p className={classes.text}>{t(`afterLostDisputeStates.${settings.after_lost_dispute}`)}</p>
            </>
          )}
        </Card>
        <Card title={t("invoices")}>
          {mayChange ? (
            <RetentionForm
              locale={locale}
              years={settings.invoice_retention_years}
              mostYears={limits.invoiceRetentionYears.most}
            />
          ) : (
            <p className={classes.text}>{t("retentionState", { years: settings.invoice_retention_years })}</p>
          )}
        </Card>
        <Card title={t("signUp")}>
          <p className={classes.text}>{t(isOpen ? "signUpOpen" : "signUpInvited")}</p>
          <p className={classes.note}>
            {is_first ? t(is_set ? "signUpSet" : "signUpDefault", { policy }) : t("signUpOther")}
          </p>
        </Card>
      </div>
    </>
  );
}

const defaultsOf = (
  { name, default_currency: currency, locale, timezone }: Settings,
  t: Awaited<ReturnType<typeof getTranslations<"organizationSettings">>>,
) => [
  { label: t("name"), value: name },
  { label: t("currency"), value: currency ?? t("notSet") },
  { label: t("language"), value: locale ?? t("notSet") },
  { label: t("timeZone"), value: timezone ?? t("notSet") },
];
