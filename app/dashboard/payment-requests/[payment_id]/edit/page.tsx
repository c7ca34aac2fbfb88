// The form that changes a payment request: a draft in every field, and one that waits for its customer in a few.
import type { Metadata } from "next";
import { forbidden, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currencyOptions } from "@/app/_i18n/currency-options";
import { today } from "@/app/_i18n/today";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import formPage from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { BelongsTo } from "../../../_parts/nav-place";
import besidePreview from "../../_parts/beside-preview.module.css";
import { DraftForm } from "../../_parts/draft-form";
import { EditOpenForm } from "../../_parts/edit-open-form";
import { headOf, paymentOf } from "../../_parts/payment-page";
import { editPath, listOf, paymentPath } from "../../_parts/payment-path";
import { savedValues } from "../../_parts/saved-values";

type Params = Promise<{ payment_id: string }>;

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const payment = await paymentOf((await params).payment_id);
  const t = await getTranslations("payment");
  return { title: t(titleOf(payment, payment.status === "draft")) };
}

function titleOf({ type }: { type: string }, isDraft: boolean) {
  if (type === "invoice") return isDraft ? "draftTitleInvoice" : "editTitleInvoice";
  return isDraft ? "draftTitle" : "editTitle";
}

export default async function EditPaymentPage({ params }: { params: Params }) {
  const payment = await paymentOf((await params).payment_id);
  const { payment_id: id, account_id } = payment;
  const user = await requireUser(editPath(id));
  if (!userMay(user, "payments.create")) forbidden();
  const [t, reader, caller] = await Promise.all([getTranslations("payment"), viewer(), api()]);
  const [acts, account] = await Promise.all([
    caller.payments.acts({ payment_id: id }),
    caller.accounts.get({ account_id }),
  ]);
  // One that can no longer be changed says so on its own page.
  if (!acts.can_finalize && !acts.can_edit) redirect(paymentPath(id));
  const { locale, timeZone } = reader;
  const initial = savedValues(payment, locale, { timeZone, dueTimeZone: acts.due_time_zone });
  const form = { id, locale, today: today(reader), initial };
  const { title } = headOf(payment, t);
  const isIssued = payment.invoice_number !== null;
  return (
    <div className={acts.can_finalize ? besidePreview.page : formPage.page}>
      {payment.type === "invoice" && <BelongsTo list={listOf(payment.type, t).href} />}
      <PageHead
        title={t(titleOf(payment, acts.can_finalize))}
        back={acts.can_finalize ? listOf(payment.type, t) : { href: paymentPath(id), label: title }}
      />
      {acts.can_finalize ? (
        <DraftForm
          {...form}
          updatedAt={payment.updated_at}
          currencies={currencyOptions(locale, "current")}
          accounts={[{ value: account_id, label: account.account_name }]}
        />
      ) : (
        <Card padded>
          <EditOpenForm
            {...form}
            isIssued={isIssued}
            mayReaddress={!isIssued && payment.transaction_ids.length === 0}
          />
        </Card>
      )}
    </div>
  );
}
