// Records a movement of money by hand: a payment received outside the pay page, a transfer, a credit, an adjustment.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { userMay } from "@/app/_trpc/may";
import { requireUser } from "@/app/_trpc/session";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { TabLinks } from "@/app/_ui/tab-links";
import { listPath } from "../_parts/list-shape";
import { type Movement, movements } from "../_parts/movements";
import { MovementPanel } from "./_parts/movement-panel";
import { RecordPaymentPanel } from "./_parts/record-payment-panel";
import classes from "./page.module.css";

type Search = Partial<Record<"type" | "payment_id" | "account_id", string | string[]>>;

interface Props {
  searchParams: Promise<Search>;
}

/** The type in the address; a payment by default. */
const typeOf = ({ type }: Search): Movement | "payment" => movements.find((each) => each === type) ?? "payment";
const textOf = (value: string | string[] | undefined) => (typeof value === "string" ? value : undefined);

async function titleOf(type: Movement | "payment"): Promise<string> {
  const [t, record] = await Promise.all([getTranslations("newTransaction"), getTranslations("recordPayment")]);
  return type === "payment" ? record("title") : t(`titles.${type}`);
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return { title: await titleOf(typeOf(await searchParams)) };
}

export default async function NewTransactionPage({ searchParams }: Props) {
  const search = await searchParams;
  const type = typeOf(search);
  const [paymentId, accountId] = [textOf(search.payment_id), textOf(search.account_id)];
  const address = (of: string, more: Record<string, string | undefined>) => {
    const given = Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const fields = new URLSearchParams([...(of === "payment" ? [] : [["type", of]]), ...given]).toString();
    return `${listPath}/new${fields && `?${fields}`}`;
  };
  const user = await requireUser(address(type, { payment_id: paymentId, account_id: accountId }));
  const allowed = (["payment", ...movements] as const).filter((each) => userMay(user, `transactions.create.${each}`));
  if (!allowed.includes(type)) forbidden();
  const [t, list] = await Promise.all([getTranslations("newTransaction"), getTranslations("recordPayment")]);
  return (
    <div className={classes.page}>
      <PageHead title={await titleOf(type)} back={{ href: listPath, label: list("back") }} />
      {allowed.length > 1 && (
        <TabLinks
          label={t("views")}
          tabs={allowed.map((each) => ({
            href: address(each, { account_id: accountId }),
            label: t(`types.${each}`),
            isCurrent: each === type,
          }))}
        />
      )}
      <Card padded>
        <p className={classes.intro}>{type === "payment" ? list("intro") : t(`intro.${type}`)}</p>
        {type === "payment" ? (
          <RecordPaymentPanel paymentId={paymentId} accountId={accountId} />
        ) : (
          <MovementPanel key={type} movement={type} accountId={accountId} />
        )}
      </Card>
    </div>
  );
}
