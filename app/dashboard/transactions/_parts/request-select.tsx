// Chooses the payment request that a received payment counts towards, among those for which money can be recorded.
// The value is its id, or empty. `onRequest` also gets what the server said of it.
"use client";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import type { Outputs } from "@/app/_trpc/server";
import { searchOptions, useMatches } from "@/app/_ui/matches";
import { formatMoney } from "@/app/_ui/money-text";
import { type SearchFieldProps, SearchSelect, useSearchChoice } from "@/app/_ui/search-select";
import classes from "./request-select.module.css";

export type Request = Outputs["payments"]["list"]["data"][number];

interface Props extends SearchFieldProps {
  /** The option for no payment request. */
  nothing: string;
  /** The choice on arrival. */
  initial: Request | null;
  locale: string;
  onChange?(id: string): void;
  onRequest(request: Request | null): void;
}

type Named = Pick<
  Request,
  "description" | "invoice_number" | "customer" | "reference" | "payment_id" | "amount_due" | "currency"
>;

const present = (texts: readonly (string | null | undefined)[]): string[] => texts.filter((text) => text != null);

const customerOf = ({ customer }: Named) => customer?.name ?? customer?.email;

const wordsOf = (request: Named): string[] => {
  const { description, invoice_number, reference, payment_id } = request;
  return present([description, invoice_number, customerOf(request), reference, payment_id]);
};

/** What the field shows of the choice. The description comes last: it may be longer than the field. */
export function labelOf(request: Named, locale: string): string {
  const { description, invoice_number, reference, payment_id, amount_due, currency } = request;
  const due = formatMoney(amount_due, currency, locale);
  const number = invoice_number ?? reference ?? (description === null ? payment_id : null);
  return present([number, customerOf(request), due, description]).join(" · ");
}

const optionOf = (request: Request, locale: string) => ({
  value: request.payment_id,
  label: labelOf(request, locale),
  words: wordsOf(request).join(" "),
});

export function RequestSelect({ nothing, initial, locale, onChange, onRequest, ...field }: Props) {
  const t = useTranslations("recordPayment");
  const choice = useSearchChoice({ value: "", label: nothing }, initial && optionOf(initial, locale));
  const search = { recordable: true, ...(choice.q === "" ? {} : { q: choice.q }) };
  const { data, isBehind } = useMatches(useTRPC().payments.list.queryOptions(search, searchOptions));
  const found = data?.data;
  const byId = (id: string) => found?.find(({ payment_id }) => payment_id === id) ?? null;
  return (
    <SearchSelect
      {...field}
      choice={choice}
      found={found?.map((request) => optionOf(request, locale))}
      isBehind={isBehind}
      noMatch={t("noRequest")}
      contentOf={(option) => {
        const request = byId(option.value);
        return request === null ? option.label : <Row request={request} locale={locale} />;
      }}
      onChoose={(id) => {
        onChange?.(id);
        onRequest(byId(id));
      }}
    />
  );
}

function Row({ request, locale }: { request: Request; locale: string }) {
  const [title, ...details] = wordsOf(request);
  return (
    <span className={classes.row}>
      <span className={classes.title}>{title}</span>
      <span className={classes.amount}>{formatMoney(request.amount_due, request.currency, locale)}</span>
      <span className={classes.details}>{details.join(" · ")}</span>
    </span>
  );
}
