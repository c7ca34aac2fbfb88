// The details of a customer: how to reach it, what the account calls it, its metadata.

import { useLocale, useTranslations } from "next-intl";
import { languageName } from "@/app/_i18n/language-name";
import type { Viewer } from "@/app/_i18n/viewer";
import { CopyableId } from "@/app/_ui/copyable-id";
import { DetailList } from "@/app/_ui/detail-list";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import type { Customer } from "./customer-path";
import classes from "./customer-view.module.css";

interface Props {
  customer: Customer;
  /** The customer's account; null if the reader has only one. */
  account: { id: string; name: string } | null;
  reader: Viewer;
}

export function CustomerDetails({ customer, account, reader }: Props) {
  const t = useTranslations("customers");
  const language = useLocale();
  const { locale, metadata, erased_at: erasedAt } = customer;
  const lines = addressLines(customer.address, language);
  return (
    <Card title={t("details")}>
      <DetailList
        items={[
          { label: t("id"), value: <CopyableId id={customer.customer_id} /> },
          {
            label: t("account"),
            value: account && <Link href={`/dashboard/accounts/${account.id}`}>{account.name}</Link>,
          },
          { label: t("name"), value: customer.name },
          { label: t("email"), value: customer.email },
          { label: t("phone"), value: customer.phone },
          { label: t("address"), value: lines && <span className={classes.address}>{lines}</span> },
          { label: t("taxId"), value: customer.tax_id },
          { label: t("reference"), value: customer.reference },
          {
            label: t("language"),
            value: locale && languageName(locale, language),
          },
          { label: t("created"), value: <Instant at={customer.created_at} {...reader} /> },
          { label: t("changed"), value: <Instant at={customer.updated_at} {...reader} /> },
          { label: t("erasedAt"), value: erasedAt && <Instant at={erasedAt} {...reader} /> },
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

/** The lines of a postal address; the name of the country is the reader's. */
function addressLines(address: Customer["address"], language: string): string | null {
  if (address === null) return null;
  const { line1, line2, postal_code, city, region, country } = address;
  const place = [postal_code, city].filter((part) => part !== null).join(" ");
  const named = country && new Intl.DisplayNames(language, { type: "region" }).of(country);
  return [line1, line2, place, region, named].filter((line) => line !== null && line !== "").join("\n");
}
