// The reader's second factors on the profile: the authenticator app, passkeys and recovery codes.
import { getTranslations } from "next-intl/server";
import type { Viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Instant } from "@/app/_ui/instant";
import { Card } from "@/app/_ui/page-frame";
import { limits } from "@/server/kit/limits";
import classes from "./factors.module.css";
import { PasskeyActs } from "./passkey-acts";
import { RemoveApp } from "./remove-app";

export async function FactorsCard({ reader }: { reader: Viewer }) {
  const [t, caller] = await Promise.all([getTranslations("factors"), api()]);
  const own = await caller.factors.own({});
  const { totp_since: since, recovery_codes_left: left, passkeys, passkeys_offered: offersPasskeys } = own;
  const day = (at: string) => <Instant at={at} isDay {...reader} />;
  return (
    <Card title={t("title")}>
      <p className={classes.text}>{t("text")}</p>
      <div className={classes.rows}>
        <div className={classes.row}>
          <div>
            <h3 className={classes.rowTitle}>{t("app")}</h3>
            <p className={classes.rowText}>
              {since === null ? t("appNone") : t.rich("appSince", { at: () => day(since) })}
            </p>
          </div>
          {since === null ? (
            <ButtonLink href="/dashboard/profile/authenticator" variant="outline">
              {t("setUp")}
            </ButtonLink>
          ) : (
            <AppActs />
          )}
        </div>
        {passkeys.map(({ passkey_id: id, name, created_at: added, last_used_at: used }) => (
          <div key={id} className={classes.row}>
            <div className={classes.names}>
              <h3 className={classes.rowTitle}>{t("passkeyOf", { name })}</h3>
              <p className={classes.rowText}>
                {used === null
                  ? t.rich("passkeySince", { at: () => day(added) })
                  : t.rich("passkeyUsed", { at: () => day(used) })}
              </p>
            </div>
            <PasskeyActs id={id} name={name} />
          </div>
        ))}
        {offersPasskeys && (
          <div className={classes.row}>
            <div className={classes.names}>
              <h3 className={classes.rowTitle}>{t("passkeys")}</h3>
              <p className={classes.rowText}>{t("passkeysText")}</p>
            </div>
            <ButtonLink href="/dashboard/profile/passkey" variant="outline">
              {t("addPasskey")}
            </ButtonLink>
          </div>
        )}
        {(since !== null || passkeys.length > 0) && (
          <div className={classes.row}>
            <div className={classes.names}>
              <h3 className={classes.rowTitle}>{t("codes")}</h3>
              <p className={classes.rowText}>{t("codesLeft", { count: left })}</p>
              {left <= limits.fewRecoveryCodes && <p className={classes.warning}>{t("codesFew")}</p>}
            </div>
            <ButtonLink href="/dashboard/profile/recovery-codes" variant="outline">
              {t("renew")}
            </ButtonLink>
          </div>
        )}
      </div>
    </Card>
  );
}

async function AppActs() {
  const t = await getTranslations("factors");
  return (
    <div className={classes.tools}>
      <ButtonLink href="/dashboard/profile/authenticator" variant="outline" aria-label={t("replaceTitle")}>
        {t("replace")}
      </ButtonLink>
      <RemoveApp />
    </div>
  );
}
