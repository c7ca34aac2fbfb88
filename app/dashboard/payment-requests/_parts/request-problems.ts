// Problems of the values in the form for a new payment request, and how to correct them.
"use client";
import { useTranslations } from "next-intl";
import { browserDay } from "@/app/_ui/browser-day";
import { isEmail } from "@/app/_ui/email-text";
import { isMetadataKey } from "@/app/_ui/metadata-key";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { useNow } from "@/app/_ui/organization-time";
import { wholeNumberOf } from "@/app/_ui/whole-number";
import { isReturnUrl } from "@/server/domains/payments/return-url";
import { limits } from "@/server/kit/limits";
import { isDueTooEarly, issueDateProblem } from "./date-problems";
import { endsTooEarly } from "./invoice-values";
import { useLineProblems } from "./line-problems";
import { isUntaxed } from "./line-values";
import { useLinkProblems } from "./link-problems";
import { hasCustomAmount, isReusableForm, mayHaveTrial } from "./link-values";
import { usePartProblems } from "./part-problems";
import { reminderDaysOf } from "./reminder-days";
import { hasInstallments, type RequestValues } from "./request-values";

interface Stage {
  /** Whether it waits for its customer: an invoice is issued. */
  isOpen: boolean;
  /** Whether what a final one needs may be missing now. */
  mayLack(): boolean;
}

/** The validation rules of Mantine's form. */
export function useRequestProblems(locale: string, { isOpen, mayLack }: Stage) {
  const t = useTranslations("newPayment");
  const now = useNow();
  const moneyProblem = useMoneyProblem(locale);
  const wholeNumber = (text: string, most: number) =>
    wholeNumberOf(text, most, locale) === null ? t("wholeNumber", { most }) : null;
  const unlessEmpty = (text: string, problem: () => string | null) => (text.trim() === "" ? null : problem());
  const future = (day: string) => unlessEmpty(day, () => (Date.parse(`${day}T23:59:59`) > now() ? null : t("dayPast")));
  const remindersProblem = (text: string, values: RequestValues) => {
    const { email, type, due, expires } = values;
    const { perRequest: most, days } = limits.reminders;
    if (!reminderDaysOf(text)?.length) return t("remindersWrong", { most, days });
    if (email.trim() === "") return t("remindersWithoutEmail");
    const hasDate = type !== "invoice" || hasInstallments(values) || due !== "" || expires !== "";
    return hasDate ? null : t("remindersWithoutDate");
  };
  const parts = usePartProblems(locale, future);
  const link = useLinkProblems(locale);
  const lines = useLineProblems(locale, wholeNumber);
  const issueDate = (values: RequestValues) => {
    const problem = issueDateProblem(values, browserDay(now()));
    if (problem === null) return null;
    return problem === "ahead" ? t("issueDateAhead") : t("issueDateTooOld", { days: limits.invoice.daysBack });
  };
  const due = (values: RequestValues) => {
    if (!isDueTooEarly(values, mayLack() ? null : browserDay(now()))) return null;
    return values.issueDate === "" ? t("dayPast") : t("dueBeforeIssue");
  };
  return {
    description: (text: string) => (text.trim() === "" && !mayLack() ? t("descriptionMissing") : null),
    amount: (text: string, values: RequestValues) =>
      values.lines.length > 0 || hasCustomAmount(values) ? null : moneyProblem(text, values.currency),
    email: (text: string) => unlessEmpty(text, () => (isEmail(text) ? null : t("emailWrong"))),
    issueDate: (_text: string, values: RequestValues) => (isOpen ? null : issueDate(values)),
    due: (_text: string, values: RequestValues) => due(values),
    serviceFrom: (_text: string, values: RequestValues) =>
      lacksPeriod(values, locale) && !mayLack() ? t("periodMissing") : null,
    serviceTo: (_text: string, values: RequestValues) =>
      values.type === "invoice" && endsTooEarly(values) ? t("serviceBackwards") : null,
    ...parts,
    ...link.fields,
    intervalCount: (text: string, { type }: RequestValues) =>
      type === "subscription" ? wholeNumber(text, limits.subscriptionIntervalCount) : null,
    cycles: (text: string, { type }: RequestValues) =>
      type === "subscription" ? unlessEmpty(text, () => wholeNumber(text, limits.subscriptionCycles)) : null,
    trial: (text: string, values: RequestValues) =>
      values.type === "subscription" && mayHaveTrial(values)
        ? unlessEmpty(text, () => wholeNumber(text, limits.trialDays))
        : null,
    reminders: (text: string, values: RequestValues) =>
      isReusableForm(values) ? null : unlessEmpty(text, () => remindersProblem(text, values)),
    returnUrl: (text: string) => unlessEmpty(text, () => (isReturnUrl(text.trim()) ? null : t("urlWrong"))),
    cancelUrl: (text: string) => unlessEmpty(text, () => (isReturnUrl(text.trim()) ? null : t("urlWrong"))),
    lines: { ...lines, least: link.range, most: link.range },
    metadata: {
      key: (key: string, { metadata }: RequestValues) => {
        if (!isMetadataKey(key.trim())) return t("metadataKeyWrong", { most: limits.metadata.key });
        return metadata.filter((other) => other.key.trim() === key.trim()).length > 1 ? t("metadataKeyTwice") : null;
      },
    },
  };
}

/** Whether an invoice of a supply to another country does not say when it is delivered. */
const lacksPeriod = ({ type, lines, serviceFrom, serviceTo }: RequestValues, locale: string): boolean =>
  type === "invoice" &&
  serviceFrom === "" &&
  serviceTo === "" &&
  lines.some((line) => isUntaxed(line, locale) && line.category === "K");
