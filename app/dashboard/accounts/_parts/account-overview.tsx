// The details of an account: balances, identity, preferences and history.
import { useTranslations } from "next-intl";
import { languageName } from "@/app/_i18n/language-name";
import type { Viewer } from "@/app/_i18n/viewer";
import { CopyableId } from "@/app/_ui/copyable-id";
import { DataTable } from "@/app/_ui/data-table";
import { DetailList } from "@/app/_ui/detail-list";
import { Instant } from "@/app/_ui/instant";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { History } from "../../_parts/history";
import type { Account } from "./account-columns";
import classes from "./account-overview.module.css";
import { ExportEntries } from "./export-entries";
import { logoPath } from "./logo-path";
import { RemoveLogo } from "./remove-logo";

interface Props {
  account: Account;
  /** The owner, in words; null if that is unknown. */
  owner: string | null;
  /** Whether the reader may change the account. */
  mayUpdate: boolean;
  reader: Viewer;
}

const parts = ["available", "pending", "held_for_refunds", "held_for_disputes"] as const;

export function AccountOverview({ account, owner, mayUpdate, reader }: Props) {
  return (
    <div className={classes.page}>
      <Balances account={account} reader={reader} />
      <div className={classes.columns}>
        <Details account={account} owner={owner} reader={reader} />
        <div className={classes.column}>
          <Preferences account={account} mayUpdate={mayUpdate} reader={reader} />
          <History objectId={account.account_id} reader={reader} />
        </div>
      </div>
    </div>
  );
}

function Balances({ account: { account_id: id, balances }, reader }: Pick<Props, "account" | "reader">) {
  const t = useTranslations("accounts");
  const { locale, timeZone } = reader;
  return (
    <section aria-labelledby="balances">
      <div className={classes.head}>
        <h2 id="balances" className={classes.heading}>
          {t("balances")}
        </h2>
        {balances.length > 0 && <ExportEntries accountId={id} reader={{ locale, timeZone }} />}
      </div>
      <Card padded={balances.length === 0}>
        {balances.length === 0 ? (
          <p className={classes.none}>{t("noBalances")}</p>
        ) : (
          <DataTable
            label={t("balances")}
            columns={[
              { key: "currency", label: t("currency"), cell: ({ currency }) => currency },
              ...parts.map((part) => ({
                key: part,
                label: t(part),
                align: "end" as const,
                cell: (balance: Account["balances"][number]) => (
                  <span className={balance[part] === 0 ? classes.nothing : undefined}>
                    <Money amount={balance[part]} currency={balance.currency} locale={locale} />
                  </span>
                ),
              })),
            ]}
            rows={balances}
            rowKey={({ currency }) => currency}
          />
        )}
      </Card>
    </section>
  );
}

function Details({ account, owner, reader }: Omit<Props, "mayUpdate">) {
  const t = useTranslations("accounts");
  const { metadata } = account;
  return (
    <Card title={t("details")}>
      <DetailList
        items={[
          { label: t("id"), value: <CopyableId id={account.account_id} /> },
          { label: t("type"), value: t(account.account_type) },
          { label: t("email"), value: account.email },
          { label: t("owner"), value: account.owner_user_id === null ? t("noOwner") : owner },
          { label: t("created"), value: <Instant at={account.created_at} {...reader} /> },
          { label: t("changed"), value: <Instant at={account.updated_at} {...reader} /> },
          { label: t("closed"), value: account.closed_at && <Instant at={account.closed_at} {...reader} /> },
        ]}
      />
      {Object.keys(metadata).length > 0 && (
        <>
          <h3 className={classes.subheading}>{t("metadata")}</h3>
          <DetailList items={Object.entries(metadata).map(([label, value]) => ({ label, value }))} />
        </>
      )}
    </Card>
  );
}

function Preferences({ account, mayUpdate, reader }: Omit<Props, "owner">) {
  const t = useTranslations("accounts");
  const { preferences, status, account_id: id, account_name } = account;
  const { default_currency: currency, locale, timezone, statement_descriptor: descriptor, branding } = preferences;
  const { reminder_hour: hour } = preferences;
  const logo = logoPath(preferences);
  const currencyName = (code: string) => {
    const words = new Intl.DisplayNames(reader.locale, { type: "currency" }).of(code);
    return words === code ? code : `${words} (${code})`;
  };
  const logoShown = (path: string) => (
    <span className={classes.logoRow}>
      <Logo path={path} alt={t("logo")} />
      {status === "closed" && mayUpdate && <RemoveLogo accountId={id} name={account_name} />}
    </span>
  );
  const notSet = <span className={classes.nothing}>{t("notSet")}</span>;
  return (
    <Card title={t("preferences")}>
      <DetailList
        items={[
          { label: t("defaultCurrency"), value: currency === null ? notSet : currencyName(currency) },
          { label: t("locale"), value: locale === null ? notSet : languageName(locale, reader.language) },
          { label: t("timezone"), value: timezone ?? notSet },
          { label: t("descriptor"), value: descriptor ?? notSet },
          { label: t("reminderHour"), value: hour === null ? notSet : `${String(hour).padStart(2, "0")}:00` },
          { label: t("logo"), value: logo === null ? notSet : logoShown(logo) },
          { label: t("color"), value: branding.color === null ? notSet : <Swatch color={branding.color} /> },
        ]}
      />
    </Card>
  );
}

function Logo({ path, alt }: { path: string; alt: string }) {
  // biome-ignore lint/performance/noImgElement: already small, and served by its hash.
  return <img src={path} alt={alt} className={classes.logo} />;
}

function Swatch({ color }: { color: string }) {
  return (
    <>
      <span className={classes.sample} style={{ background: color }} />
      {color}
    </>
  );
}
