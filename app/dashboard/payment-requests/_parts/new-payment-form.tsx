// The form for a new payment request, with the optional fields behind a button.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import { firstField } from "@/app/_ui/first-field";
import form from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { formatMoney } from "@/app/_ui/money-text";
import { PageHead } from "@/app/_ui/page-frame";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import { BesidePreview } from "./beside-preview";
import { CustomerFields } from "./customer-fields";
import { linesTotal } from "./line-values";
import { hasCustomAmount } from "./link-values";
import { MoreFields } from "./more-fields";
import { type Choices, type RequestForm, type RequestState, useNewPayment } from "./new-payment";
import classes from "./new-payment-form.module.css";
import type { RequestValues } from "./request-values";

interface Option {
  value: string;
  label: string;
}

export interface Lists {
  currencies: readonly Option[];
  accounts: readonly Option[];
}

interface Props extends Choices, Lists {
  /** Where canceling leads. */
  back: { href: string; label: string };
}

export function NewPaymentForm({ currencies, accounts, back, ...choices }: Props) {
  const t = useTranslations("newPayment");
  const state = useNewPayment(choices);
  const as = (isDraft: boolean) => () => {
    state.isDraft.current = isDraft;
  };
  const { type } = state.typed;
  return (
    <>
      <PageHead title={t(`titles.${type}`)} back={back} />
      <BesidePreview values={state.typed} locale={choices.locale}>
        <form {...state.formProps} className={form.fields}>
          <ProblemSummary {...state.summary} />
          <RequestFields {...{ state, currencies, accounts }} {...choices} />
          <IssueNote type={type} />
          <div className={form.actions}>
            <Button type="submit" loading={state.isSending} onClick={as(false)}>
              {t(type === "invoice" ? "issue" : "submit")}
            </Button>
            <Button type="submit" variant="outline" disabled={state.isSending} onClick={as(true)}>
              {t("saveDraft")}
            </Button>
            <ButtonLink href={back.href} variant="outline">
              {t("cancel")}
            </ButtonLink>
          </div>
        </form>
      </BesidePreview>
    </>
  );
}

/** What issuing an invoice does, which cannot be undone. */
export function IssueNote({ type }: Pick<RequestValues, "type">) {
  const t = useTranslations("newPayment");
  return type === "invoice" && <p className={classes.note}>{t("issueNote")}</p>;
}

interface FieldsProps extends Lists, Pick<Choices, "locale" | "today"> {
  state: Pick<RequestState, "form" | "typed" | "isMore" | "setIsMore">;
  /** Whether the account has been chosen for good. */
  hasAccount?: boolean;
}

/** All fields of a payment request. */
export function RequestFields({ state, currencies, accounts, locale, today, hasAccount = false }: FieldsProps) {
  const t = useTranslations("newPayment");
  const { form: fields, typed, isMore, setIsMore } = state;
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  return (
    <>
      <TextInput
        key={fields.key("description")}
        label={t("description")}
        description={t(typed.type === "invoice" ? "descriptionHelpInvoice" : "descriptionHelp")}
        autoComplete="off"
        maxLength={limits.description}
        {...firstField(field("description"))}
      />
      <AmountFields {...{ fields, typed, currencies, locale }} />
      {accounts.length > 1 && (
        <NativeSelect
          key={fields.key("account")}
          label={t("account")}
          description={hasAccount && t("accountFixed")}
          disabled={hasAccount}
          data={[...accounts]}
          {...field("account")}
        />
      )}
      <CustomerFields form={fields} typed={typed} />
      <Button
        variant="transparent"
        className={classes.more}
        aria-expanded={isMore}
        aria-controls="more"
        leftSection={<IconChevronDown size={18} aria-hidden className={classes.chevron} />}
        onClick={() => setIsMore(!isMore)}
      >
        {isMore ? t("less") : t("more")}
      </Button>
      <div id="more" hidden={!isMore}>
        <div className={form.fields}>
          <MoreFields form={fields} typed={typed} locale={locale} today={today} />
        </div>
      </div>
    </>
  );
}

interface AmountProps extends Pick<RequestState, "typed"> {
  fields: RequestForm;
  currencies: readonly Option[];
  locale: string;
}

/** The amount and its currency; with line items, their total instead of a field. */
function AmountFields({ fields, typed, currencies, locale }: AmountProps) {
  const t = useTranslations("newPayment");
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  return (
    <div className={form.row}>
      {hasCustomAmount(typed) ? (
        <div>
          <span className={classes.totalLabel}>{t("amount")}</span>
          <output className={classes.total} data-empty>
            {t("amountChosen")}
          </output>
        </div>
      ) : typed.lines.length === 0 ? (
        <MoneyInput
          key={fields.key("amount")}
          label={t("amount")}
          text={typed.amount}
          currency={typed.currency}
          locale={locale}
          {...field("amount")}
        />
      ) : (
        <LinesTotal total={linesTotal(typed.lines, typed.currency, locale)} currency={typed.currency} locale={locale} />
      )}
      <NativeSelect key={fields.key("currency")} label={t("currency")} data={[...currencies]} {...field("currency")} />
    </div>
  );
}

/** Replaces the amount field when there are line items. */
function LinesTotal({ total, currency, locale }: { total: number | null; currency: string; locale: string }) {
  const t = useTranslations("newPayment");
  return (
    <div>
      <span className={classes.totalLabel}>{t("linesTotal")}</span>
      <output className={classes.total} data-empty={total === null || undefined}>
        {total === null ? t("linesTotalEmpty") : formatMoney(total, currency, locale)}
      </output>
    </div>
  );
}
