// Downloads the ledger entries of an account: the bookkeeper chooses a period, the last month at first, and a format.
"use client";
import { Button, NativeSelect } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { presetsAt } from "@/app/_ui/date-presets";
import { DateRange } from "@/app/_ui/date-range";
import { endOfDay, startOfDay } from "@/app/_ui/day-bounds";
import { Dialog } from "@/app/_ui/dialog";
import type { FilterReader } from "@/app/_ui/filter-field";
import classes from "@/app/_ui/form.module.css";
import { useNow } from "@/app/_ui/organization-time";

interface Props {
  accountId: string;
  reader: FilterReader;
}

export function ExportEntries(props: Props) {
  const t = useTranslations("exportEntries");
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t("open")}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={t("open")}>
        <ExportForm {...props} close={close} />
      </Dialog>
    </>
  );
}

/** The browser sends the form: the answer is a file, so the page stays. */
function ExportForm({ accountId, reader, close }: Props & { close(): void }) {
  const t = useTranslations("exportEntries");
  const now = useNow();
  const [[first, last]] = useState(() => presetsAt(now(), reader.timeZone).lastMonth);
  const [from, to] = [startOfDay(first, reader.timeZone), endOfDay(last, reader.timeZone)];
  return (
    <form method="get" action={`/dashboard/accounts/${accountId}/ledger-entries`} className={classes.fields}>
      <p className={classes.text}>{t("intro")}</p>
      <DateRange
        since={{ kind: "since", name: "booked_from", label: t("first") }}
        until={{ kind: "until", name: "booked_to", label: t("last") }}
        filters={{ booked_from: from ?? "", booked_to: to ?? "" }}
        reader={reader}
      />
      <NativeSelect
        id="format"
        name="format"
        label={t("format")}
        description={t("formatHelp")}
        data={[
          { value: "csv", label: t("csv") },
          { value: "ndjson", label: t("ndjson") },
        ]}
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={close}>
          {t("close")}
        </Button>
        <Button type="submit">{t("download")}</Button>
      </div>
    </form>
  );
}
