// The state of a customer's form: its values, their problems, and the wiring of its fields.
"use client";
import { useForm } from "@mantine/form";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { refusalCode } from "@/app/_trpc/refusal";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useOutcome } from "@/app/_ui/outcome";
import { keyProblem } from "../../accounts/_parts/account-problems";
import { customerPath, nameOf } from "./customer-path";
import { type CustomerProblem, type CustomerValues, changesOf, contentOf, problemsIn } from "./customer-values";

export type CustomerForm = ReturnType<typeof useNewCustomer>;

/** Creates a customer, and leads to its page. */
export function useNewCustomer(initial: CustomerValues) {
  const t = useTranslations("customerForm");
  const api = useTRPCClient();
  const { keyFor } = useIdempotencyKey();
  const leave = useLeave();
  async function create(typed: CustomerValues) {
    const input = { account_id: typed.account, ...contentOf(typed) };
    return api.customers.create.mutate(input, { context: { idempotencyKey: keyFor(input) } });
  }
  return useCustomerForm(initial, create, (made) => {
    leave(made.customer_id, t("created", { name: nameOf(made) ?? "" }));
  });
}

/** Saves the changes to a customer, and leads to its page. */
export function useEditCustomer(id: string, saved: CustomerValues) {
  const t = useTranslations("customerForm");
  const api = useTRPCClient();
  const { keyFor } = useIdempotencyKey();
  const leave = useLeave();
  async function save(typed: CustomerValues): Promise<void> {
    const changes = changesOf(saved, typed);
    if (Object.keys(changes).length === 0) return;
    const input = { customer_id: id, ...changes };
    await api.customers.update.mutate(input, { context: { idempotencyKey: keyFor(input) } });
  }
  return useCustomerForm(saved, save, () => leave(id, t("saved")));
}

function useLeave() {
  const router = useRouter();
  const { announceNext } = useOutcome();
  return (id: string, done: string) => {
    announceNext(done);
    router.push(customerPath(id));
    router.refresh();
  };
}

const fieldOf = (error: unknown): string | null => (refusalCode(error) === "duplicate_reference" ? "reference" : null);

function useCustomerForm<Answer>(
  initial: CustomerValues,
  send: (values: CustomerValues) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const t = useTranslations("customerForm");
  const keys = useTranslations("accountForm");
  const textOf = (problem: CustomerProblem | null) => (problem === null ? null : t(problem));
  const form = useForm<CustomerValues>({
    mode: "uncontrolled",
    initialValues: initial,
    validateInputOnBlur: true,
    validate: {
      name: (text, values) => textOf(problemsIn.name(text, values)),
      email: (text) => textOf(problemsIn.email(text)),
      country: (text) => textOf(problemsIn.country(text)),
      metadata: {
        key: (_key, { metadata }, path) => {
          const problem = keyProblem(metadata, Number(path.split(".")[1]));
          return problem === null ? null : keys(problem);
        },
      },
    },
  });
  /** The props of the field with this name. */
  const field = (name: string) => ({ id: name, name, ...form.getInputProps(name) });
  return { form, field, ...useFormSubmission(form, send, onDone, { fieldOf, asksToLeave: true }) };
}
