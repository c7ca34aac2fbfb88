// Gives an API key a new secret: asks how long the current one keeps working, then shows the new one once.
"use client";
import { Button, NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useActDialog } from "@/app/_ui/act-dialog";
import { Dialog } from "@/app/_ui/dialog";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { useStepUp } from "@/app/_ui/step-up";
import { limits } from "@/server/kit/limits";
import { NewSecret } from "./new-secret";

interface Props {
  id: string;
  name: string;
  /** Whether the previous secret still works. This rotation ends it. */
  endsOlder: boolean;
}

export function RotateKey(props: Props) {
  const t = useTranslations("apiKeys");
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  return (
    <>
      <Button variant="default" size="compact-sm" aria-label={t("rotateOf", { name: props.name })} onClick={open}>
        {t("rotate")}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => close()} title={t("rotateTitle", { name: props.name })} isBusy={isBusy}>
        <Rotation {...props} isBusy={isBusy} onBusy={onBusy} close={close} />
      </Dialog>
    </>
  );
}

interface RotationProps extends Props {
  isBusy: boolean;
  onBusy(isBusy: boolean): void;
  close(): void;
}

/** Overlaps to choose from, in hours. */
const overlaps = [0, 1, limits.overlapHours.default, 72, limits.overlapHours.longest];

function Rotation({ id, name, endsOlder, isBusy, onBusy, close }: RotationProps) {
  const t = useTranslations("apiKeys");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const { withStepUp, field, isShownInField } = useStepUp();
  const [hours, setHours] = useState(String(limits.overlapHours.default));
  const [attempt, setAttempt] = useState(0);
  const rotation = useMutation({
    mutationFn: () => {
      const input = { api_key_id: id, overlap_hours: Number(hours) };
      return withStepUp(() => api.apiKeys.rotate.mutate(input, { context: { idempotencyKey: keyFor(input) } }));
    },
    onError(error) {
      answered(error);
      setAttempt((count) => count + 1);
    },
    onSettled: () => onBusy(false),
  });
  if (rotation.data) {
    return (
      <div className={classes.fields}>
        <NewSecret title={t("rotated", { name })} secret={rotation.data.secret} />
        <div className={classes.actions}>
          <Button onClick={() => close()} loading={isBusy}>
            {t("done")}
          </Button>
        </div>
      </div>
    );
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    onBusy(true);
    rotation.mutate();
  }
  return (
    <form onSubmit={onSubmit} noValidate className={classes.fields}>
      <ProblemSummary fields={[]} refusal={isShownInField(rotation.error) ? null : rotation.error} attempt={attempt} />
      <NativeSelect
        label={t("overlap")}
        description={t(endsOlder ? "overlapHelpOlder" : "overlapHelp")}
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        data={overlaps.map((value) => ({ value: String(value), label: t("overlapHours", { hours: value }) }))}
      />
      {field}
      <div className={classes.actions}>
        <Button variant="default" disabled={isBusy} onClick={() => close()}>
          {t("cancel")}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t("rotateConfirm")}
        </Button>
      </div>
    </form>
  );
}
