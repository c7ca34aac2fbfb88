// Which columns a list shows, and how many rows a page has.
"use client";
import { Button, Checkbox, Popover, SegmentedControl } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import classes from "./display-menu.module.css";
import { useListArea } from "./list-area";
import { listAddress, pageSizes } from "./list-query";

/** `columns` are all columns, with their headings. */
export function DisplayMenu({ columns }: { columns: readonly { key: string; label: string }[] }) {
  const t = useTranslations("list");
  const { query, go } = useListArea();
  // A checkbox changes at once, before the list does; then the address is authoritative again.
  const [chosen, setChosen] = useState(query.columns);
  useEffect(() => setChosen(query.columns), [query.columns]);
  function toggle(key: string) {
    const next = columns.map((column) => column.key).filter((each) => (each === key) !== chosen.includes(each));
    if (next.length === 0) return;
    setChosen(next);
    go(listAddress(query, { columns: next }));
  }
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="sm" leftSection={<IconColumns3 size={16} aria-hidden />}>
          {t("display")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("display")} className={classes.dropdown}>
        <fieldset className={classes.group}>
          <legend className={classes.legend}>{t("columns")}</legend>
          {columns.map(({ key, label }) => (
            <Checkbox
              key={key}
              label={label}
              checked={chosen.includes(key)}
              onChange={() => toggle(key)}
              classNames={{ root: classes.column }}
            />
          ))}
        </fieldset>
        <fieldset className={classes.group}>
          <legend className={classes.legend}>{t("pageSize")}</legend>
          <SegmentedControl
            fullWidth
            size="sm"
            value={String(query.limit)}
            data={pageSizes.map(String)}
            onChange={(size) => {
              const limit = pageSizes.find((each) => String(each) === size);
              if (limit !== undefined) go(listAddress(query, { limit }));
            }}
          />
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
