// Reads only the columns that the pages behind a pay link show: these pages are read far more often than written.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { preparedOne, slot } from "@/db/prepared";
import { accounts, customers, organizations, payments, transactions } from "@/db/tables";

/** Minor units that lost disputes took, whatever other disputes are open. Most payment requests have none to add up. */
const chargedBack = (q: Reader) => {
  const isLost = and(eq(transactions.paymentId, payments.id), eq(transactions.disputeStatus, "lost"));
  const lost = q
    .select({ sum: sql`coalesce(sum(${transactions.amountDisputed}), 0)` })
    .from(transactions)
    .where(isLost);
  return sql`case when ${payments.disputeStatus} = 'none' then 0 else (${lost}) end`.mapWith(Number);
};

/**
 * The locale of the customer that it belongs to; null if none is known. Of the use of a link too: its payer typed an
 * address that may be somebody else's, and must not learn whether that is a customer, nor who speaks which language.
 */
const customerLocale = (q: Reader) =>
  sql<string | null>`(${q
    .select({ locale: customers.locale })
    .from(customers)
    .where(and(eq(customers.id, payments.customerId), isNull(payments.parentPaymentId)))})`;

const findPage = preparedOne("payments.page_by_link", (q: Reader) =>
  q
    .select({
      payment: {
        id: payments.id,
        livemode: payments.livemode,
        type: payments.type,
        description: payments.description,
        reference: payments.reference,
        customerId: payments.customerId,
        customer: payments.customer,
        lineItems: payments.lineItems,
        subscription: payments.subscription,
        invoiceNumber: payments.invoiceNumber,
        pdfProblem: payments.pdfProblem,
        amount: payments.amount,
        amountPaid: payments.amountPaid,
        amountWaived: payments.amountWaived,
        ...{ amountReopened: payments.amountReopened, amountLost: payments.amountLost },
        isTrial: payments.isTrial,
        isRenewal: payments.isRenewal,
        amountRefunded: payments.amountRefunded,
        amountChargedBack: chargedBack(q).as("amount_charged_back"),
        disputeStatus: payments.disputeStatus,
        currency: payments.currency,
        captureMethod: payments.captureMethod,
        allowPartial: payments.allowPartial,
        minimumAmount: payments.minimumAmount,
        installments: payments.installments,
        usageLimit: payments.usageLimit,
        usesCount: payments.usesCount,
        usesReserved: payments.usesReserved,
        pausedAt: payments.pausedAt,
        customAmount: payments.customAmount,
        parentPaymentId: payments.parentPaymentId,
        place: payments.place,
        locale: payments.locale,
        successUrl: payments.successUrl,
        cancelUrl: payments.cancelUrl,
        lastError: payments.lastError,
        dueAt: payments.dueAt,
        expiresAt: payments.expiresAt,
        extendedAt: payments.extendedAt,
        draft: payments.draft,
        paidAt: payments.paidAt,
        viewedAt: payments.viewedAt,
        linkRequestedAt: payments.linkRequestedAt,
        linkRequestMailId: payments.linkRequestMailId,
        canceledAt: payments.canceledAt,
        failedAt: payments.failedAt,
        cardsAllowedAt: payments.cardsAllowedAt,
      },
      account: {
        name: accounts.name,
        email: accounts.email,
        preferences: accounts.preferences,
        status: accounts.status,
        ownerUserId: accounts.ownerUserId,
        orphanedAt: accounts.orphanedAt,
      },
      known: { locale: customerLocale(q).as("customer_locale") },
      organization: { id: organizations.id, locale: organizations.locale, timezone: organizations.timezone },
    })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .innerJoin(organizations, eq(organizations.id, payments.organizationId))
    .where(eq(payments.linkHash, slot("linkHash"))),
);

export type LinkedPage = NonNullable<Awaited<ReturnType<typeof findPage>>>;

/** What the pages behind the link with this token hash show; undefined for an unknown link. */
export const findPageByLink = (q: Reader, linkHash: string): Promise<LinkedPage | undefined> =>
  findPage(q, { linkHash });
