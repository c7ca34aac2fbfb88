// The columns of the list of customers: name and e-mail, reference, phone number, account.
import type { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { CopyableId } from "@/app/_ui/copyable-id";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { accountColumn } from "@/app/dashboard/_parts/account-column";
import { Party } from "@/app/dashboard/_parts/party";
import classes from "@/app/dashboard/_parts/record-columns.module.css";
import { type Customer, nameOf } from "./customer-path";

type Texts = ReturnType<typeof useTranslations<"customers">>;

/** `accounts` has their names by id; null if all customers belong to one. */
export function customerColumns(
  t: Texts,
  reader: Viewer,
  accounts: ReadonlyMap<string, string> | null,
): Column<Customer>[] {
  const none = <span data-none>{t("none")}</span>;
  return [
    {
      key: "name",
      label: t("name"),
      isLink: true,
      place: "title",
      cell: (customer) => {
        const { name, email } = customer;
        if (name !== null && email !== null) return <Party isTitle who={name} what={email} />;
        const title = nameOf(customer) ?? t("erased");
        return (
          <span className={classes.name} title={title}>
            {title}
          </span>
        );
      },
    },
    { key: "reference", label: t("reference"), place: "text", cell: ({ reference }) => reference ?? none },
    { key: "phone", label: t("phone"), cell: ({ phone }) => phone ?? none },
    ...accountColumn<Customer>({ label: t("account"), accounts, place: "page" }),
    {
      key: "created",
      label: t("created"),
      place: "amount",
      cell: (customer) => (
        <span data-dated>
          <Instant at={customer.created_at} isShort {...reader} />
        </span>
      ),
    },
    { key: "id", label: t("id"), cell: (customer) => <CopyableId id={customer.customer_id} /> },
  ];
}
