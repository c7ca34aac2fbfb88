// Which columns a list shows and how many rows stand on a page.
"use client";
import { Button, Checkbox, Popover, SegmentedControl } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import classes from "./display-menu.module.css";
import { useListArea } from "./list-area";
import { listAddress, pageSizes } from "./list-query";

/** `columns` are all there are, with their headings. */
export function DisplayMenu({ columns }: { columns: readonly { key: string; label: string }[] }) {
  const t = useTranslations("list");
  const { query, go } = useListArea();
  function toggle(key: string) {
    const shown = columns.filter((column) => (column.key === key) !== query.columns.includes(column.key));
    if (shown.length > 0) go(listAddress(query, { columns: shown.map((column) => column.key) }));
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
              checked={query.columns.includes(key)}
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
