// Changes the reader's name, language and time zone.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useOutcome } from "@/app/_ui/outcome";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import type { AccountChoices } from "../../accounts/_parts/account-form";

interface Props {
  user: { user_id: string; name: string | null; locale: string | null; timezone: string | null };
  choices: Pick<AccountChoices, "languages" | "timeZones">;
}

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());

export function ProfileForm({ user, choices }: Props) {
  const t = useTranslations("profile");
  const api = useTRPCClient();
  const router = useRouter();
  const { announce } = useOutcome();
  const { keyFor, answered } = useIdempotencyKey();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: user.name ?? "", locale: user.locale ?? "", timezone: user.timezone ?? "" },
    validateInputOnBlur: true,
    validate: { name: (value) => (value.length > limits.name ? t("nameLong", { max: limits.name }) : null) },
  });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    async ({ name, locale, timezone }) => {
      const changes = { name: orNull(name), locale: orNull(locale), timezone: orNull(timezone) };
      const input = { user_id: user.user_id, ...changes };
      try {
        return await api.users.update.mutate(input, { context: { idempotencyKey: keyFor(input) } });
      } catch (error) {
        answered(error);
        throw error;
      }
    },
    () => {
      router.refresh();
      announce(t("saved"), null);
    },
  );
  const field = (name: "name" | "locale" | "timezone") => ({
    ...{ id: name, name, key: form.key(name) },
    ...form.getInputProps(name),
  });
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TextInput
        {...field("name")}
        key={form.key("name")}
        label={t("name")}
        description={t("nameHelp")}
        autoComplete="name"
      />
      <NativeSelect
        {...field("locale")}
        key={form.key("locale")}
        label={t("language")}
        description={t("languageHelp")}
        data={[{ value: "", label: t("fromBrowser") }, ...choices.languages]}
      />
      <NativeSelect
        {...field("timezone")}
        key={form.key("timezone")}
        label={t("timeZone")}
        description={t("timeZoneHelp")}
        data={[{ value: "", label: t("fromBrowser") }, ...choices.timeZones]}
      />
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}
