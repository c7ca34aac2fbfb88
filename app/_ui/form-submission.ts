// What every form does on submit: show problems, make one call at a time, keep what was typed.
"use client";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type MouseEvent, useEffect, useRef, useState, useTransition } from "react";
import { useRefusalText } from "../_trpc/refusal";
import { markHandled } from "./early-submission";
import { useFormProblems } from "./form-problems";
import { useLeaveQuestion } from "./leave-question";
import type { FieldProblem } from "./problem-summary";

/**
 * Pressing the button does not move the focus. Otherwise the field would lose it, show its problem and push the button
 * away from under the pointer, and the click would be lost.
 */
function keepFocus(event: MouseEvent) {
  if (event.target instanceof Element && event.target.closest("[type=submit]")) event.preventDefault();
}

interface Options {
  /** The field that a refusal is about; null if it is about none. If the form has the field, the refusal is shown there. */
  fieldOf?(error: unknown): string | null;
  /** A field's problem in the summary, where that must say more than the text at the field, such as its line. */
  inSummary?(problem: FieldProblem): string;
  /** Whether leaving the page with a half-filled form needs a confirmation. */
  asksToLeave?: boolean;
}

/**
 * Wires an uncontrolled Mantine form to `send`: spread `formProps` into the form and `summary` into
 * {@link ProblemSummary}. Fields are named in the form as they are in `Values`. The form stays busy until the result of
 * `onDone` is visible, such as another page, so that nobody sends it a second time on a slow connection.
 */
export function useFormSubmission<Values extends Record<string, unknown>, Answer>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<Answer>,
  onDone: (answer: Answer) => void,
  { fieldOf, inSummary = ({ text }) => text, asksToLeave = false }: Options = {},
) {
  const refusalText = useRefusalText();
  const element = useRef<HTMLFormElement>(null);
  const [attempt, setAttempt] = useState(0);
  const failed = () => setAttempt((count) => count + 1);
  const [isLeaving, startLeaving] = useTransition();
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: (answer) => startLeaving(() => onDone(answer)),
    onError(error) {
      const field = fieldOf?.(error) ?? null;
      const isShown = field !== null && element.current?.querySelector(`[id="${field}"]`) != null;
      problems.refuse(isShown ? { field, text: refusalText(error) } : null);
      failed();
    },
  });
  const problems = useFormProblems(form, mutation.reset);
  const isSending = mutation.isPending || isLeaving;
  useLeaveQuestion(asksToLeave, () => !mutation.isSuccess && form.isDirty());

  /** Reads the fields themselves, so that text typed or filled in before this script ran is included. */
  function takeOver() {
    const known = form.getValues();
    for (const [name, text] of element.current ? new FormData(element.current) : []) {
      if (!Object.hasOwn(known, name)) continue;
      // A checkbox is among them only while it is checked, as "on".
      const value = typeof known[name] === "boolean" ? true : text;
      if (known[name] !== value) form.setFieldValue(name, value as never, { forceUpdate: false });
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; afterwards the fields report their changes.
  useEffect(() => {
    takeOver();
    if (element.current) markHandled(element.current);
  }, []);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    takeOver();
    const { hasErrors, errors } = form.validate();
    problems.found(errors);
    if (!hasErrors) return mutation.mutate(form.getValues());
    mutation.reset();
    failed();
  }

  return {
    // POST, so that a password never appears in an address. Submitted before this script runs, the form waits for it.
    formProps: { method: "post", noValidate: true, ref: element, onSubmit, onMouseDown: keepFocus },
    isSending,
    summary: {
      fields: problems.fields.map((problem) => ({ ...problem, text: inSummary(problem) })),
      refusal: problems.refused ? null : mutation.error,
      attempt,
    },
  };
}
