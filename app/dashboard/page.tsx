// Home: what needs attention soon, what was received, refunded and is due in each currency, and the newest transactions.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { partOfPage } from "@/app/_trpc/part-of-page";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { ButtonLink } from "@/app/_ui/button-link";
import type { SearchParams } from "@/app/_ui/list-query";
import { PageHead } from "@/app/_ui/page-frame";
import { limits } from "@/server/kit/limits";
import { GivenPassword } from "./_parts/given-password";
import { Figures } from "./_parts/home/figures";
import { FiguresFailed } from "./_parts/home/figures-failed";
import { FirstSteps } from "./_parts/home/first-steps";
import { homeAddress, periodOf } from "./_parts/home/home-address";
import { NewestTransactions } from "./_parts/home/newest-transactions";
import { PeriodLinks } from "./_parts/home/period-links";
import { ToDo } from "./_parts/home/to-do";
import { transferNames } from "./transactions/_parts/visible-accounts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("home");
  return { title: t("title") };
}

export default async function HomePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const days = periodOf(await searchParams);
  const user = await requireUser(homeAddress(days));
  const [t, payments, reader, caller] = await Promise.all([
    getTranslations("home"),
    getTranslations("payments"),
    viewer(),
    api(),
  ]);
  const mayCreate = userMay(user, "payments.create");
  const [figures, newest] = await Promise.all([
    partOfPage(caller.overview.figures({ days, timezone: reader.timeZone })),
    caller.transactions.list({ limit: limits.overview.transactions }),
  ]);
  const isNew = newest.data.length === 0 && (await caller.payments.list({ limit: 1 })).data.length === 0;
  return (
    <>
      <PageHead
        title={t("title")}
        action={mayCreate && <ButtonLink href="/dashboard/payment-requests/new">{payments("create")}</ButtonLink>}
      />
      {user.has_given_password && <GivenPassword />}
      {isNew ? (
        <FirstSteps user={user} mayCreate={mayCreate} maySet={userMay(user, "organizations.update")} />
      ) : (
        <>
          <ToDo user={user} locale={reader.locale} />
          <PeriodLinks days={days} />
          {figures ? <Figures figures={figures} days={days} reader={reader} /> : <FiguresFailed />}
          <NewestTransactions transactions={newest.data} names={await transferNames(newest.data)} reader={reader} />
        </>
      )}
    </>
  );
}
