// What the search over everything offers for a text: actions, pages, and the records that the server found.
import {
  IconAddressBook,
  IconArrowRight,
  IconArrowsExchange,
  IconBookmark,
  IconBuildingStore,
  IconFileInvoice,
  IconPlus,
  IconReceiptRefund,
  IconRepeat,
  IconSearch,
  IconUser,
} from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { Instant } from "@/app/_ui/instant";
import { filterQuery } from "@/app/_ui/list-query";
import { Money } from "@/app/_ui/money";
import { RequestedAmount } from "@/app/_ui/requested-amount";
import { useAllViews } from "@/app/_ui/saved-views";
import type { StatusBadge } from "@/app/_ui/status-badge";
import type { FilteredList } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";
import { wordsOf } from "@/server/kit/words";
import { shownStatus } from "../../payment-requests/_parts/shown-status";
import { exactFirst } from "./exact-first";
import { actions, type Found, keysOf, type Offer, pages, searchedLists } from "./goals";
import { matching } from "./matching";

export interface Choice {
  /** Its identifiers: if the typed text is one of them, it comes first. */
  names?: readonly (string | null)[];
  /** Tells it apart from others with the same address, or without one. */
  id?: string;
  /** Where it leads, unless it does something here. */
  href?: string;
  run?(): void;
  Icon: typeof IconSearch;
  title: string;
  /** Other words by which it is found. */
  synonyms?: string;
  detail?: ReactNode;
  amount?: ReactNode;
  status?: ComponentProps<typeof StatusBadge>["status"];
}

export interface Group {
  name:
    | "actions"
    | "views"
    | "pages"
    | "acts"
    | "paymentRequests"
    | "subscriptions"
    | "transactions"
    | "customers"
    | "accounts"
    | "users"
    | "lists";
  choices: Choice[];
}

/** Whether the server can search for the text. */
export function isSearchable(text: string): boolean {
  const words = wordsOf(text).length;
  return words > 0 && words <= limits.searchWords;
}

/** The texts that are given, with a dot in between. */
const joined = (...texts: readonly (string | null)[]): string =>
  texts.filter((text) => text !== null && text !== "").join(" · ");

const customerOf = (one: { customer_name: string | null; customer_email: string | null }): string | null =>
  one.customer_name ?? one.customer_email;

/** The page of each list that has saved views. */
const pageOf = {
  payment_requests: "paymentRequests",
  invoices: "invoices",
  subscriptions: "subscriptions",
  transactions: "transactions",
  customers: "customers",
  accounts: "accounts",
  users: "users",
  invitations: "invitations",
  mails: "mails",
  audit_log: "auditLog",
} as const satisfies Record<FilteredList, keyof typeof pages>;

/** The actions, saved views and pages that the text may mean; without a text all of them, but few views. */
export function useGoals({ actions: offered, pages: shown }: Offer, typed: string, acts: readonly Choice[]): Group[] {
  const t = useTranslations("palette");
  const { all: views } = useAllViews();
  const groups: Group[] = [
    {
      name: "actions",
      choices: offered.map((key) => ({
        href: actions[key].href,
        Icon: key === "refund" ? IconReceiptRefund : IconPlus,
        title: t(`actions.${key}`),
        synonyms: t(`synonyms.${key}`),
        ...(key === "refund" ? { detail: t("refundHow") } : {}),
      })),
    },
    {
      name: "views",
      choices: views.map(({ view_id, list, name, filters }) => ({
        id: view_id,
        href: `${pages[pageOf[list]].href}?${filterQuery(filters)}`,
        Icon: IconBookmark,
        title: name,
        detail: t(`pages.${pageOf[list]}`),
      })),
    },
    {
      name: "pages",
      choices: shown.map((key) => ({
        href: pages[key].href,
        Icon: IconArrowRight,
        title: t(`pages.${key}`),
        synonyms: t(`synonyms.${key}`),
      })),
    },
    // Last, so that Enter opens a page if one matches too.
    { name: "acts", choices: [...acts] },
  ];
  return groups.map(({ name, choices }) => {
    const matches = [...matching(choices, typed)];
    return { name, choices: name === "views" ? matches.slice(0, limits.foundOfKind) : matches };
  });
}

/** The records found, first those that have the typed text as an identifier. */
export function useRecords({ locale, timeZone }: Offer, found: Found | undefined, typed: string): Group[] {
  const t = useTranslations("palette");
  const type = useTranslations("transactionType");
  if (!found) return [];
  const money = (one: { amount: number; currency: string }) => <Money {...one} locale={locale} />;
  const groups: Group[] = [
    {
      name: "paymentRequests",
      choices: found.payments.map((one) =>
        paymentChoice(one, <RequestedAmount {...one} locale={locale} chosen={t("amountChosen")} />),
      ),
    },
    {
      name: "customers",
      choices: found.customers.map((one) => ({
        href: `/dashboard/customers/${one.customer_id}`,
        names: [one.customer_id, one.reference, one.email],
        Icon: IconAddressBook,
        title: one.name ?? one.email ?? one.reference ?? one.customer_id,
        detail: joined(one.reference, one.name === null ? null : one.email),
      })),
    },
    {
      name: "transactions",
      choices: found.transactions.map((one) => ({
        href: `/dashboard/transactions/${one.transaction_id}`,
        names: [one.transaction_id, one.reference],
        Icon: IconArrowsExchange,
        title: one.description ?? one.customer_name ?? one.reference ?? type(one.type),
        detail: (
          <>
            {type(one.type)} · <Instant at={one.created_at} isDay locale={locale} timeZone={timeZone} />
            {customerOf(one) !== null && ` · ${customerOf(one)}`}
          </>
        ),
        amount: money(one),
        status: one.status,
      })),
    },
    {
      name: "subscriptions",
      choices: found.subscriptions.map((one) => subscriptionChoice(one, money(one))),
    },
    {
      name: "accounts",
      choices: found.accounts.map((one) => ({
        href: `/dashboard/accounts/${one.account_id}`,
        names: [one.account_id, one.email],
        Icon: IconBuildingStore,
        title: one.account_name,
        detail: one.email,
        ...(one.status === "open" ? {} : { status: one.status }),
      })),
    },
    {
      name: "users",
      choices: found.users.map((one) => ({
        href: `/dashboard/users/${one.user_id}`,
        names: [one.user_id, one.email],
        Icon: IconUser,
        title: one.name ?? one.email ?? one.user_id,
        detail: joined(t(`roles.${one.role}`), one.name === null ? null : one.email),
        ...(one.status === "active" ? {} : { status: one.status }),
      })),
    },
  ];
  return exactFirst(groups, typed);
}

const subscriptionChoice = (one: Found["subscriptions"][number], amount: ReactNode): Choice => ({
  href: `/dashboard/subscriptions/${one.subscription_id}`,
  names: [one.subscription_id],
  Icon: IconRepeat,
  title: one.description ?? customerOf(one) ?? one.subscription_id,
  detail: joined(one.description === null ? null : customerOf(one)),
  amount,
  status: one.status,
});

const paymentChoice = (one: Found["payments"][number], amount: ReactNode): Choice => ({
  href: `/dashboard/payment-requests/${one.payment_id}`,
  names: [one.payment_id, one.reference, one.invoice_number],
  Icon: IconFileInvoice,
  title: one.description ?? one.customer_name ?? one.reference ?? one.payment_id,
  detail: joined(one.invoice_number, one.reference, customerOf(one)),
  amount,
  status: shownStatus(one),
});

/** The lists that may show more than was found, searched for the text: here are only a few records of each kind. */
export function useLists(offer: Offer, found: Found | undefined, typed: string): Group {
  const t = useTranslations("palette");
  const shown = keysOf(searchedLists).filter(
    (key) => offer.pages.includes(key) && found?.[searchedLists[key]].length === limits.foundOfKind,
  );
  return {
    name: "lists",
    choices: shown.map((key) => ({
      href: `${pages[key].href}?q=${encodeURIComponent(typed)}`,
      Icon: IconSearch,
      title: t(`lists.${key}`, { q: typed }),
    })),
  };
}
