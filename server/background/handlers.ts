// Maps each kind of job to its handler.
import "@/server/domains/steps";
import "@/server/pipeline/stored-answers";
import { dailyBackup } from "@/server/backup/daily";
import { eraseRest } from "@/server/domains/closing/erased";
import { moveRest } from "@/server/domains/closing/merged";
import type { JobKind } from "@/server/domains/jobs/queue";
import type { Handler, JobTable } from "@/server/domains/jobs/runner";
import { deliverMail } from "@/server/domains/mails/deliver";
import { forgetRest } from "@/server/domains/mails/retention";
import { cancelRest } from "@/server/domains/payments/cancel-open";
import { linkCustomers } from "@/server/domains/payments/customers";
import { expirePayment, expirePayments, healExpired } from "@/server/domains/payments/expire";
import { cancelRestOfUses } from "@/server/domains/payments/links/cancel-uses";
import { recomputePayments } from "@/server/domains/payments/recompute";
import { remindWhenDue } from "@/server/domains/payments/reminders";
import { indexWords } from "@/server/domains/payments/search-words";
import { foldWords } from "@/server/domains/search/fold-words";
import { mailRequestedReset } from "@/server/domains/sessions/reset-mail";
import { lookUp } from "@/server/domains/transactions/look-up";

const handlers: Readonly<Record<JobKind, Handler>> = {
  "payments.lookup": lookUp,
  "payments.expire": expirePayment,
  "payments.remind": remindWhenDue,
  "payments.words": indexWords,
  "payments.recompute": recomputePayments,
  "payments.cancel_open": cancelRest,
  "payments.cancel_uses": cancelRestOfUses,
  "payments.customers": linkCustomers,
  "customers.move": moveRest,
  "customers.erase": eraseRest,
  "search.fold": foldWords,
  // The sandbox only reports that something changed, so the look-up asks for details.
  "sandbox.event": async (runtime, transactionId) => {
    await lookUp(runtime, transactionId);
    return undefined;
  },
  "mails.deliver": deliverMail,
  "mails.forget_user": forgetRest,
  "users.mail_reset": mailRequestedReset,
  "database.backup": dailyBackup,
};

export const jobTable: JobTable = {
  handlers,
  batchHandlers: { "payments.expire": expirePayments },
  heal: (runtime, stopping) => healExpired(runtime, null, stopping),
};
