// Maps each kind of job to its handler.
import "@/server/domains/steps";
import "@/server/pipeline/stored-answers";
import { dailyBackup } from "@/server/backup/daily";
import { eraseRest } from "@/server/domains/closing/erased";
import { moveRest } from "@/server/domains/closing/merged";
import { eraseOldPapers } from "@/server/domains/closing/old-papers";
import { inOrganizationTime, type JobKind } from "@/server/domains/jobs/queue";
import type { Handler, JobTable } from "@/server/domains/jobs/runner";
import { deliverMail } from "@/server/domains/mails/deliver";
import { forgetRest } from "@/server/domains/mails/retention";
import { workerRuntime } from "@/server/domains/organizations/time";
import { cancelRest } from "@/server/domains/payments/cancel-open";
import { expirePayment, expirePayments, healExpired } from "@/server/domains/payments/expire";
import { cancelRestOfUses } from "@/server/domains/payments/links/cancel-uses";
import { moveRestOfUses } from "@/server/domains/payments/links/move-uses";
import { lookUpMethod } from "@/server/domains/payments/methods/look-up";
import { announceOverdue } from "@/server/domains/payments/overdue";
import { moveToWakingHour } from "@/server/domains/payments/reminder-moves";
import { remindWhenDue } from "@/server/domains/payments/reminders";
import { advanceOn } from "@/server/domains/sandbox/advance";
import { handleSandboxEvent } from "@/server/domains/sandbox/events";
import { mailRequestedReset } from "@/server/domains/sessions/reset-mail";
import { cancelSubscriptions } from "@/server/domains/subscriptions/cancel-open";
import { forgetCard } from "@/server/domains/subscriptions/forget-card";
import { runSubscription } from "@/server/domains/subscriptions/run";
import { lookUp } from "@/server/domains/transactions/look-up";

const handlers: Readonly<Record<JobKind, Handler>> = {
  "payments.lookup": lookUp,
  "payments.look_up_method": lookUpMethod,
  "payments.forget_method": forgetCard,
  "payments.expire": expirePayment,
  "payments.remind": remindWhenDue,
  "payments.overdue": announceOverdue,
  "payments.cancel_open": cancelRest,
  "payments.cancel_uses": cancelRestOfUses,
  "payments.move_uses": moveRestOfUses,
  "payments.move_reminders": moveToWakingHour,
  "subscriptions.run": runSubscription,
  "subscriptions.cancel_open": cancelSubscriptions,
  "customers.move": moveRest,
  "customers.erase": eraseRest,
  "customers.erase_papers": eraseOldPapers,
  "sandbox.event": handleSandboxEvent,
  "sandbox.advance": advanceOn,
  "mails.deliver": deliverMail,
  "mails.forget_user": forgetRest,
  "users.mail_reset": mailRequestedReset,
  "database.backup": dailyBackup,
};

export const jobTable: JobTable = {
  handlers,
  batchHandlers: { "payments.expire": expirePayments },
  runtimeFor: (runtime, job) =>
    inOrganizationTime.has(job.kind) ? workerRuntime(runtime, job.organizationId, job.dueAt !== null) : runtime,
  heal: (runtime, stopping) => healExpired(runtime, null, stopping),
};
