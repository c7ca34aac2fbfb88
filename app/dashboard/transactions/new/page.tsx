// Records a movement of money by hand: a payment received outside the pay page, a transfer, a credit, an adjustment.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currentUser, requireUser } from "@/app/_trpc/session";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { TabLinks } from "@/app/_ui/tab-links";
import { listPath } from "../_parts/list-shape";
import { type Movement, movements } from "../_parts/movements";
import { newTypesFor } from "../_parts/new-types";
import { MovementPanel } from "./_parts/movement-panel";
import { RecordPaymentPanel } from "./_parts/record-payment-panel";
import classes from "./page.module.css";

type Search = Partial<
  Record<"type" | "payment_id" | "customer_id" | "account_id" | "destination_account_id", string | string[]>
>;

interface Props {
  searchParams: Promise<Search>;
}

/** The type that the address asks for; null for the first one that the reader may make. */
function askedType({ type, payment_id }: Search): Movement | "payment" | null {
  const byRequest = payment_id === undefined ? null : "payment";
  return (["payment", ...movements] as const).find((each) => each === type) ?? byRequest;
}

const textOf = (value: string | string[] | undefined) => (typeof value === "string" ? value : undefined);

async function titleOf(type: Movement | "payment"): Promise<string> {
  const [t, record] = await Promise.all([getTranslations("newTransaction"), getTranslations("recordPayment")]);
  return type === "payment" ? record("title") : t(`titles.${type}`);
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const user = await currentUser();
  const type = askedType(await searchParams) ?? (user && newTypesFor(user)[0]);
  return { title: await titleOf(type ?? "payment") };
}

export default async function NewTransactionPage({ searchParams }: Props) {
  const search = await searchParams;
  const [paymentId, accountId] = [textOf(search.payment_id), textOf(search.account_id)];
  const customerId = textOf(search.customer_id);
  const destination = { destination_account_id: textOf(search.destination_account_id) };
  const address = (fields: Record<string, string | undefined>) => {
    const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const query = new URLSearchParams(given).toString();
    return `${listPath}/new${query && `?${query}`}`;
  };
  const asked = askedType(search);
  const user = await requireUser(
    address({
      ...{ type: asked ?? undefined, payment_id: paymentId, customer_id: customerId, account_id: accountId },
      ...destination,
    }),
  );
  const allowed = newTypesFor(user);
  const type = asked ?? allowed[0];
  if (type === undefined || !allowed.includes(type)) forbidden();
  const [t, list] = await Promise.all([getTranslations("newTransaction"), getTranslations("recordPayment")]);
  return (
    <div className={classes.page}>
      <PageHead title={await titleOf(type)} back={{ href: listPath, label: list("back") }} />
      {allowed.length > 1 && (
        <TabLinks
          label={t("views")}
          tabs={allowed.map((each) => ({
            href: address({
              ...{ type: each, account_id: accountId },
              ...(each === "payment" && { customer_id: customerId }),
            }),
            label: t(`types.${each}`),
            isCurrent: each === type,
          }))}
        />
      )}
      <Card padded>
        <p className={classes.intro}>{type === "payment" ? list("intro") : t(`intro.${type}`)}</p>
        {type === "payment" ? (
          <RecordPaymentPanel paymentId={paymentId} customerId={customerId} accountId={accountId} />
        ) : (
          <MovementPanel
            key={type}
            movement={type}
            accountId={accountId}
            destinationId={destination.destination_account_id}
          />
        )}
      </Card>
    </div>
  );
}
