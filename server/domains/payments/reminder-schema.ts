// The wire form of planned reminders of a payment request.
import * as z from "zod";
import { reminderSkips } from "@/db/schema/values";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";

const { perRequest, days } = limits.reminders;

/** When a new payment request reminds its customer. */
export const reminders = z
  .strictObject({
    offsets_days: z
      .array(z.int().min(-days).max(days))
      .min(1)
      .max(perRequest)
      .refine((offsets) => offsets.every((offset, i) => i === 0 || offset > (offsets[i - 1] ?? 0)), "must ascend")
      .meta({
        description:
          "Calendar days before (negative) or after `due_at`, or `expires_at` where there is no due date, in ascending " +
          "order and in the account's time zone. They go at its `preferences.reminder_hour`; one for day 0 that would go " +
          "too late goes the day before. An expired payment request sends none, so at least one must lie in the future " +
          "and before the expiry.",
        example: [-3, -1],
      }),
  })
  .meta({
    id: "PaymentRemindersInput",
    description:
      "Reminders to mail to the customer while the payment request can be paid. Requires an e-mail and a date.",
  });

/** A planned reminder in a response. */
export const reminderOut = z
  .strictObject({
    offset_days: z.int().meta({ description: "Calendar days after the due date or, without one, the expiry." }),
    planned_at: fields.timestamp
      .nullable()
      .meta({ description: "When it goes, or should have gone. Null in a draft." }),
    waiting_until: fields.timestamp.nullable().meta({
      description:
        "Until when it waits, for room within the limits on mails or for the morning. Null if it does not wait.",
    }),
    sent_at: fields.timestamp.nullable().meta({ description: "When its mail was written. Null until then." }),
    mail_id: fields.idOut("mai", "Its mail.").nullable(),
    skipped_reason: z
      .enum(reminderSkips)
      .nullable()
      .meta({
        description:
          "Why it was not sent: `missed` if its time was over at the creation, `superseded` if a later one was due too, " +
          "else what kept the payment request from being paid or mailed. One that is due during a dispute waits for its " +
          "end: then the latest of them goes if something is still due.",
      }),
  })
  .meta({ id: "PaymentReminder", description: "A planned reminder of a payment request." });
