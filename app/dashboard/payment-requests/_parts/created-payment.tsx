// What comes after creating a payment request: its link, to send it to the customer.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { ButtonLink } from "@/app/_ui/button-link";
import { CopyButton } from "@/app/_ui/copy-button";
import form from "@/app/_ui/form.module.css";
import { writtenMoney } from "@/app/_ui/money-text";
import classes from "./created-payment.module.css";

interface Props {
  url: string;
  /** Minor units. */
  amount: number;
  currency: string;
  locale: string;
  onAgain(): void;
}

export function CreatedPayment({ url, amount, currency, locale, onAgain }: Props) {
  const t = useTranslations("newPayment");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={form.fields}>
      <div>
        <h2 ref={heading} tabIndex={-1} className={classes.title}>
          {t("doneTitle")}
        </h2>
        <p className={classes.text}>{t("doneText", { amount: writtenMoney(amount, currency, locale) })}</p>
      </div>
      <div className={classes.link}>
        <TextInput
          id="link"
          label={t("link")}
          value={url}
          readOnly
          className={classes.url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={url} label={t("copy")} size="md" variant="filled" />
      </div>
      <div className={form.actions}>
        <ButtonLink href={url} variant="outline" target="_blank" rel="noreferrer" prefetch={false}>
          {t("openPage")}
        </ButtonLink>
        <Button variant="default" onClick={onAgain}>
          {t("another")}
        </Button>
        <ButtonLink href="/dashboard/payment-requests" variant="outline">
          {t("toList")}
        </ButtonLink>
      </div>
    </div>
  );
}
