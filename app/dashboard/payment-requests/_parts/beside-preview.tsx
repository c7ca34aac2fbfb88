// A form for a payment request, with the pay page beside it where there is room.
"use client";
import { useMediaQuery } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/app/_ui/page-frame";
import classes from "./beside-preview.module.css";
import type { RequestValues } from "./request-values";

/** Loaded after the form, which works without it. */
const RequestPreview = dynamic(() => import("./request-preview").then((module) => module.RequestPreview), {
  ssr: false,
});

interface Props {
  /** As typed. */
  values: RequestValues;
  locale: string;
  children: ReactNode;
}

export function BesidePreview({ values, locale, children }: Props) {
  const t = useTranslations("newPayment");
  // As in the style sheet. A narrower screen loads no preview.
  const hasRoom = useMediaQuery("(min-width: 80em)", false);
  return (
    <div className={classes.columns}>
      <Card padded>{children}</Card>
      {hasRoom && values.account !== "" && (
        <aside aria-label={t("preview")} className={classes.preview}>
          <RequestPreview values={values} locale={locale} />
        </aside>
      )}
    </div>
  );
}
