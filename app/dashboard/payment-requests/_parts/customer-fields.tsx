// Whom a payment request is addressed to: one of the account's customers, or somebody new.
"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import form from "@/app/_ui/form.module.css";
import { CustomerNameField } from "../../customers/_parts/customer-name-field";
import type { MoreProps } from "./more-fields";
import { changedByName, keptOf } from "./request-values";
import { addressedTo } from "./saved-values";

export function CustomerFields({ form: fields, typed }: Pick<MoreProps, "form" | "typed">) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  const isBlank = typed.customer.trim() === "" && typed.email.trim() === "";
  const { onChange: changeName, ...nameField } = field("customer");
  return (
    <div className={form.pair}>
      <CustomerNameField
        key={fields.key("customer")}
        label={shared("optional", { label: t("customerName") })}
        accountId={typed.account}
        hint={keptOf(typed).customer_id !== undefined ? "known" : isBlank ? "choose" : "new"}
        {...nameField}
        onChange={(name) => {
          changeName(name);
          const changed = changedByName(name, fields.getValues());
          for (const [other, value] of Object.entries(changed)) fields.setFieldValue(other, value);
        }}
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
