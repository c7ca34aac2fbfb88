// The table of all operations. The tRPC router, the REST routes and the OpenAPI document are made from it.
import { closeAccount } from "./accounts/close";
import { accountClosing } from "./accounts/closing";
import { createAccount } from "./accounts/create";
import { getAccount } from "./accounts/get";
import { listAccounts } from "./accounts/list";
import { accountNames } from "./accounts/names";
import { listOwnAccounts } from "./accounts/own";
import { updateAccount } from "./accounts/update";
import { openApiOf } from "./documents/openapi";
import { openApiOperation } from "./documents/openapi-operation";
import { timeline } from "./events/timeline";
import { deadJobs, retryAllJobs, retryJob } from "./jobs/dead";
import { setUpInstance } from "./organizations/setup";
import { paymentActs } from "./payments/acts";
import { cancelPayment } from "./payments/cancel";
import { capturePayment } from "./payments/capture";
import { answerChallenge, viewChallenge } from "./payments/challenge";
import { countRequests } from "./payments/counts";
import { createPayment } from "./payments/create";
import { getPayment } from "./payments/get";
import { leaveChallenge } from "./payments/leave-challenge";
import { listPaymentRequests } from "./payments/list";
import { pay } from "./payments/pay";
import { paymentReceipt } from "./payments/receipt";
import { refundPayment } from "./payments/refund";
import { refundSurplus } from "./payments/refund-surplus";
import { paymentStatus } from "./payments/status";
import { overpaidPayments } from "./payments/surplus";
import { viewPayment } from "./payments/view";
import { invalidateSession } from "./sessions/invalidate";
import { listSessions } from "./sessions/list";
import { login } from "./sessions/login";
import { refreshSession } from "./sessions/refresh";
import { signIn } from "./sessions/sign-in";
import { signOut } from "./sessions/sign-out";
import { createTransaction } from "./transactions/create";
import { exportTransactions } from "./transactions/export";
import { getTransaction } from "./transactions/get";
import { listTransactions } from "./transactions/list";
import { transactionPostings } from "./transactions/postings";
import { changePassword } from "./users/change-password";
import { createUser } from "./users/create";
import { currentUser } from "./users/current";
import { listUsers } from "./users/list";
import { removeUser } from "./users/remove";
import { resetPassword, viewReset } from "./users/reset-password";

export const operations = {
  sessions: { login, refresh: refreshSession, invalidate: invalidateSession, list: listSessions, signIn, signOut },
  accounts: {
    create: createAccount,
    update: updateAccount,
    close: closeAccount,
    closing: accountClosing,
    get: getAccount,
    list: listAccounts,
    names: accountNames,
    own: listOwnAccounts,
  },
  users: {
    create: createUser,
    remove: removeUser,
    list: listUsers,
    current: currentUser,
    changePassword,
    viewReset,
    resetPassword,
  },
  payments: {
    create: createPayment,
    list: listPaymentRequests,
    counts: countRequests,
    get: getPayment,
    status: paymentStatus,
    overpaid: overpaidPayments,
    acts: paymentActs,
    cancel: cancelPayment,
    capture: capturePayment,
    refund: refundPayment,
    refundSurplus,
    view: viewPayment,
    receipt: paymentReceipt,
    pay,
    leaveChallenge,
  },
  transactions: {
    create: createTransaction,
    get: getTransaction,
    list: listTransactions,
    export: exportTransactions,
    postings: transactionPostings,
  },
  events: { timeline },
  sandbox: { challenge: viewChallenge, answerChallenge },
  jobs: { dead: deadJobs, retry: retryJob, retryAll: retryAllJobs },
  organizations: { setup: setUpInstance },
  documents: { openapi: openApiOperation(() => describe()) },
};

let description: Record<string, unknown> | undefined;

/** The OpenAPI document of this table; made once per process. */
function describe(): Record<string, unknown> {
  description ??= openApiOf(operations);
  return description;
}
