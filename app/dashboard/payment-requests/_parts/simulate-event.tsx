// Brings an event of the sandbox provider about, after saying what each one does.
"use client";
import { Radio } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import type { Outputs } from "@/app/_trpc/server";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import classes from "@/app/_ui/form.module.css";

type SimulatedEvent = Outputs["sandbox"]["events"]["events"][number];

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** The events that fit its state. */
  events: readonly SimulatedEvent[];
}

export function SimulateEvent({ id, title, events }: Props) {
  const t = useTranslations("simulate");
  const api = useTRPCClient();
  const [chosen, setChosen] = useState<SimulatedEvent | null>(null);
  const event = chosen !== null && events.includes(chosen) ? chosen : events[0];
  if (event === undefined) return null;
  return (
    <ConfirmDialog
      label={t("open")}
      title={t("title", { title })}
      confirm={t("confirm")}
      done={t("done")}
      onOpen={() => setChosen(null)}
      act={(key) => api.sandbox.simulate.mutate({ payment_id: id, event }, { context: { idempotencyKey: key } })}
    >
      <Radio.Group
        size="md"
        label={t("event")}
        value={event}
        onChange={(value) => setChosen(events.find((one) => one === value) ?? null)}
      >
        <div className={classes.fields}>
          {events.map((one) => (
            <Radio key={one} value={one} label={t(`events.${one}`)} description={t(`effects.${one}`)} />
          ))}
        </div>
      </Radio.Group>
    </ConfirmDialog>
  );
}
