// Whom a payment request is addressed to: one of the account's customers, or somebody new.
"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import form from "@/app/_ui/form.module.css";
import { CustomerNameField } from "../../customers/_parts/customer-name-field";
import type { MoreProps } from "./more-fields";
import { keptOf } from "./request-values";
import { addressedTo } from "./saved-values";

export function CustomerFields({ form: fields, typed }: Pick<MoreProps, "form" | "typed">) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  return (
    <div className={form.pair}>
      <CustomerNameField
        key={fields.key("customer")}
        label={shared("optional", { label: t("customerName") })}
        accountId={typed.account}
        isKnown={keptOf(typed).customer_id !== undefined}
        isBlank={typed.customer.trim() === "" && typed.email.trim() === ""}
        {...field("customer")}
        onCustomer={(customer) => {
          const { email, kept } = addressedTo(customer);
          fields.setFieldValue("email", email);
          fields.setFieldValue("kept", kept);
        }}
      />
      <TextInput
        key={fields.key("email")}
        type="email"
        label={shared("optional", { label: t("customerEmail") })}
        autoComplete="off"
        {...field("email")}
      />
    </div>
  );
}
