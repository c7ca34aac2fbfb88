// Settings of security: who must have a second factor and who lacks one, and when refunds and transfers need step-up.
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currencyOptions } from "@/app/_i18n/currency-options";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { ButtonLink } from "@/app/_ui/button-link";
import { DetailList } from "@/app/_ui/detail-list";
import { formatMoney } from "@/app/_ui/money-text";
import { Card } from "@/app/_ui/page-frame";
import { mfaRequirements } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";
import { SettingsHead, settingsTitle } from "../_parts/settings-head";
import classes from "../settings.module.css";
import { FactorForm } from "./_parts/factor-form";
import { Lacking } from "./_parts/lacking";
import { StepUpForm } from "./_parts/step-up-form";

export const generateMetadata = () => settingsTitle("security");

export default async function SecuritySettingsPage() {
  const user = await requireUser("/dashboard/settings/security");
  if (!userMay(user, "organizations.read")) forbidden();
  const [t, { locale }, caller] = await Promise.all([getTranslations("securitySettings"), viewer(), api()]);
  const { require_mfa: required, step_up_amounts: amounts } = await caller.organizations.get({});
  const mayChange = userMay(user, "organizations.update.security");
  const mayRequire = user.mfa_enabled;
  return (
    <>
      <SettingsHead current="security" />
      <div className={classes.parts}>
        <Card title={t("factor")}>
          <p className={classes.text}>{t("factorText")}</p>
          {mayChange && !mayRequire && (
            <div className={classes.text}>
              <p className={classes.text}>{t("ownFirst")}</p>
              <ButtonLink href="/dashboard/profile" variant="outline">
                {t("ownSetUp")}
              </ButtonLink>
            </div>
          )}
          {mayChange ? (
            <FactorForm choices={mfaRequirements} required={required} mayRequire={mayRequire} />
          ) : (
            <DetailList items={[{ label: t("who"), value: t(required) }]} />
          )}
        </Card>
        {userMay(user, "users.list") && (
          <Card title={t("lacking")}>
            <Lacking />
          </Card>
        )}
        <Card title={t("stepUp")}>
          <p className={classes.text}>{t("stepUpText", { minutes: limits.freshSignInMinutes })}</p>
          {mayChange ? (
            <StepUpForm amounts={amounts} locale={locale} currencies={currencyOptions(locale)} />
          ) : (
            <DetailList
              items={amounts.map(({ currency, amount }) => ({
                label: currency,
                value: formatMoney(amount, currency, locale),
              }))}
            />
          )}
        </Card>
      </div>
    </>
  );
}
