// What an invoice states beside its amount: dates, the customer's order, texts.
"use client";
import { Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import form from "@/app/_ui/form.module.css";
import { limits } from "@/server/kit/limits";
import type { RequestForm } from "./new-payment";

const { purchaseOrder, text } = limits.invoice;

export function InvoiceFields({ form: fields }: { form: RequestForm }) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const field = (name: string) => ({
    ...{ id: name, name, label: shared("optional", { label: t(name as "issueDate") }) },
    ...fields.getInputProps(name),
  });
  return (
    <>
      <TextInput key={fields.key("issueDate")} type="date" description={t("issueDateHelp")} {...field("issueDate")} />
      <div className={form.pair}>
        <TextInput key={fields.key("serviceFrom")} type="date" {...field("serviceFrom")} />
        <TextInput key={fields.key("serviceTo")} type="date" {...field("serviceTo")} />
      </div>
      <TextInput
        key={fields.key("purchaseOrder")}
        autoComplete="off"
        maxLength={purchaseOrder}
        {...field("purchaseOrder")}
      />
      <Textarea
        key={fields.key("paymentTerms")}
        description={t("paymentTermsHelp")}
        maxLength={text}
        autosize
        minRows={2}
        {...field("paymentTerms")}
      />
      <Textarea
        key={fields.key("notes")}
        description={t("notesHelp")}
        maxLength={text}
        autosize
        minRows={2}
        {...field("notes")}
      />
    </>
  );
}
