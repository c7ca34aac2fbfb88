// Merges the customer into another of the account, and leads to that one.
"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { useOutcome } from "@/app/_ui/outcome";
import { customerPath } from "./customer-path";
import { CustomerSelect } from "./customer-select";

const nobody = { id: "", name: "" };

interface Props {
  id: string;
  accountId: string;
  name: string;
}

export function MergeCustomer({ id, accountId, name }: Props) {
  const t = useTranslations("mergeCustomer");
  const api = useTRPCClient();
  const router = useRouter();
  const { announceNext } = useOutcome();
  const [into, setInto] = useState(nobody);
  const done = t("done", { name, into: into.name });
  return (
    <ConfirmDialog
      label={t("merge")}
      title={t("title", { name })}
      confirm={t("confirm")}
      done={done}
      onOpen={() => setInto(nobody)}
      // Without a choice, the id is one that no customer has, so that it is refused.
      act={(idempotencyKey) =>
        api.customers.merge.mutate({ customer_id: id, into_customer_id: into.id }, { context: { idempotencyKey } })
      }
      onDone={() => {
        announceNext(done);
        router.push(customerPath(into.id));
        router.refresh();
      }}
    >
      <p>{t("moves")}</p>
      <p>{t("stays")}</p>
      <p>{t("permanent")}</p>
      <CustomerSelect
        label={t("into")}
        accountId={accountId}
        except={id}
        onCustomer={(chosen, chosenName) => setInto({ id: chosen, name: chosenName })}
      />
    </ConfirmDialog>
  );
}
