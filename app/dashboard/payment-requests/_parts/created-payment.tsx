// Confirms a new payment request and shows the link to send to the customer.
"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { ButtonLink } from "@/app/_ui/button-link";
import form from "@/app/_ui/form.module.css";
import { formatMoney } from "@/app/_ui/money-text";
import classes from "./created-payment.module.css";
import type { Created } from "./new-payment";
import { PayLink } from "./pay-link";

interface Props extends Created {
  locale: string;
  onAgain(): void;
}

export function CreatedPayment({ id, url, amount, currency, locale, onAgain }: Props) {
  const t = useTranslations("newPayment");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={form.fields}>
      <div>
        <h2 ref={heading} tabIndex={-1} className={classes.title}>
          {t("doneTitle")}
        </h2>
        <p className={classes.text}>{t("doneText", { amount: formatMoney(amount, currency, locale) })}</p>
      </div>
      <PayLink id={id} url={url} />
      <div className={form.actions}>
        <ButtonLink href={`/dashboard/payment-requests/${id}`} variant="outline">
          {t("toRequest")}
        </ButtonLink>
        <ButtonLink href={url} variant="outline" target="_blank" rel="noreferrer">
          {t("openPage")}
        </ButtonLink>
        <Button variant="default" onClick={onAgain}>
          {t("another")}
        </Button>
      </div>
    </div>
  );
}
