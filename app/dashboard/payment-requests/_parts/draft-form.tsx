// The form of a draft: it saves itself, and finishes the draft.
"use client";
import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { changedElsewhere } from "@/app/_trpc/refusal";
import { ButtonLink } from "@/app/_ui/button-link";
import form from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { Refusal } from "@/app/_ui/refusal";
import { BesidePreview } from "./beside-preview";
import classes from "./draft-form.module.css";
import type { Saving } from "./draft-saver";
import { isProblem, useDraftSaving } from "./draft-saving";
import { type Choices, useProblemsShown, useRequestForm } from "./new-payment";
import { IssueNote, type Lists, RequestFields } from "./new-payment-form";
import { createdPath, paymentPath } from "./payment-path";

interface Props extends Choices, Lists {
  id: string;
  /** When the draft was changed last, as the API says it. */
  updatedAt: string;
}

export function DraftForm({ id, updatedAt, currencies, accounts, ...choices }: Props) {
  const t = useTranslations("newPayment");
  const router = useRouter();
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const state = useRequestForm(choices);
  const draft = useDraftSaving({ id, updatedAt }, choices.locale, state);
  async function finalize(): Promise<void> {
    await draft.save();
    const input = { payment_id: id };
    // Refused if somebody else has changed it since: the reader has not seen that.
    const ifMatch = draft.tag();
    try {
      await api.payments.finalize.mutate(input, { context: { ifMatch, idempotencyKey: keyFor({ input, ifMatch }) } });
    } catch (error) {
      answered(error);
      throw changedElsewhere(error);
    }
  }
  const submission = useFormSubmission(state.form, finalize, () => router.push(createdPath(id)), state.options);
  useProblemsShown(submission.summary.fields, state.setIsMore);
  return (
    <BesidePreview values={state.typed} locale={choices.locale}>
      <form {...submission.formProps} className={form.fields} onBlur={draft.flush}>
        <ProblemSummary {...submission.summary} />
        {/* What is typed while the draft is finalized would come too late. */}
        <div className={form.fields} inert={submission.isSending}>
          <RequestFields {...{ state, currencies, accounts }} {...choices} hasAccount />
        </div>
        <IssueNote type={state.typed.type} />
        <div className={form.actions}>
          <Button type="submit" loading={submission.isSending}>
            {t(state.typed.type === "invoice" ? "issue" : "finalize")}
          </Button>
          <ButtonLink href={paymentPath(id)} variant="outline">
            {t("draftDetails")}
          </ButtonLink>
          <SavingState saving={draft.saving} error={draft.error} />
        </div>
      </form>
    </BesidePreview>
  );
}

/** Whether what was typed is saved. A problem interrupts screen readers; other news waits until they are idle. */
function SavingState({ saving, error }: { saving: Saving; error: unknown }) {
  const t = useTranslations("newPayment");
  const hasFailed = isProblem(saving);
  return (
    <p className={classes.saving} role={hasFailed ? "alert" : "status"} data-problem={hasFailed || undefined}>
      {t(`saving.${saving}`)} {hasFailed && <Refusal error={error} />}
    </p>
  );
}
