// All payment requests, newest first, a page at a time.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { type ListSearch, listAddress, unlessStale } from "@/app/_trpc/list-page";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { ButtonLink } from "@/app/_ui/button-link";
import { ListFrame } from "@/app/_ui/list-frame";
import { PaymentTable } from "./_parts/payment-table";

const path = "/dashboard/payment-requests";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payments");
  return { title: t("title") };
}

export default async function PaymentRequestsPage({ searchParams }: { searchParams: ListSearch }) {
  const { cursor, address } = await listAddress(path, searchParams);
  await requireUser(address);
  const [t, reader, caller] = await Promise.all([getTranslations("payments"), viewer(), api()]);
  const page = await unlessStale(caller.payments.list({ cursor }));
  return (
    <ListFrame
      path={path}
      title={t("title")}
      action={<ButtonLink href={`${path}/new`}>{t("create")}</ButtonLink>}
      empty={{ title: t("emptyTitle"), text: t("emptyText") }}
      cursor={cursor}
      page={page}
    >
      <PaymentTable payments={page?.data ?? []} reader={reader} />
    </ListFrame>
  );
}
