// The table of all operations. The tRPC router, the REST routes and the OpenAPI document are made from it.

import { createAccount } from "@/server/domains/accounts/operations/create";
import { getAccount } from "@/server/domains/accounts/operations/get";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { accountNames } from "@/server/domains/accounts/operations/list-names";
import { listOwnAccounts } from "@/server/domains/accounts/operations/list-own";
import { setLogo } from "@/server/domains/accounts/operations/set-logo";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { viewLogo } from "@/server/domains/accounts/operations/view-logo";
import { cancelEmailChange, pendingEmail } from "@/server/domains/addresses/operations/pending";
import { changeEmail, sendVerification } from "@/server/domains/addresses/operations/request";
import { useEmailLink, viewEmailLink } from "@/server/domains/addresses/operations/use-link";
import { createApiKey } from "@/server/domains/api-keys/operations/create";
import { apiKeyDetails, apiKeysLeftBehind } from "@/server/domains/api-keys/operations/details";
import { listApiKeys } from "@/server/domains/api-keys/operations/list";
import { revokeApiKey } from "@/server/domains/api-keys/operations/revoke";
import { rotateApiKey } from "@/server/domains/api-keys/operations/rotate";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { accountClosing } from "@/server/domains/closing/operations/closing";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { removeUser } from "@/server/domains/closing/operations/remove-user";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { getCustomer } from "@/server/domains/customers/operations/get";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { exportEntries } from "@/server/domains/entries/operations/export";
import { listEntries } from "@/server/domains/entries/operations/list";
import { ownFactors, renewCodes } from "@/server/domains/factors/operations/own";
import { addPasskey, removePasskey, renamePasskey, setUpPasskey } from "@/server/domains/factors/operations/passkeys";
import { confirmTotp, removeTotp, setUpTotp } from "@/server/domains/factors/operations/totp";
import { instanceState } from "@/server/domains/instance/operations/state";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import { listInvitations } from "@/server/domains/invitations/operations/list";
import { resendInvitation } from "@/server/domains/invitations/operations/resend";
import { revokeInvitation } from "@/server/domains/invitations/operations/revoke";
import { viewInvitation } from "@/server/domains/invitations/operations/view";
import { deadJobs, retryAllJobs, retryJob } from "@/server/domains/jobs/operations/dead";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { getUser } from "@/server/domains/onboarding/operations/get-user";
import {
  organizationSettings,
  updateOrganizationSettings,
} from "@/server/domains/onboarding/operations/organization-settings";
import { setUpInstance } from "@/server/domains/onboarding/operations/setup";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { viewSignUp } from "@/server/domains/onboarding/operations/view-sign-up";
import { getMail } from "@/server/domains/outbox/operations/get";
import { listMails } from "@/server/domains/outbox/operations/list";
import { resendMail } from "@/server/domains/outbox/operations/resend";
import { mailServer, sendTestMail } from "@/server/domains/outbox/operations/server";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { customerActivity } from "@/server/domains/overview/operations/customer-activity";
import { overviewFigures } from "@/server/domains/overview/operations/figures";
import { paymentOperations } from "@/server/domains/payments/operations/all";
import { answerChallenge, viewChallenge } from "@/server/domains/payments/operations/challenge";
import { sandboxClock as clock } from "@/server/domains/sandbox/operations/clock";
import { moveSandboxClock } from "@/server/domains/sandbox/operations/move-clock";
import { sandboxEvents as events, simulateEvent as simulate } from "@/server/domains/sandbox/operations/simulate";
import { stormEvents as storm } from "@/server/domains/sandbox/operations/storm";
import { findEverything } from "@/server/domains/search/operations/find";
import { changePassword } from "@/server/domains/sessions/operations/change-password";
import { endAllSessions } from "@/server/domains/sessions/operations/end-all";
import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import { lastSeen } from "@/server/domains/sessions/operations/last-seen";
import { listSessions } from "@/server/domains/sessions/operations/list";
import { login } from "@/server/domains/sessions/operations/login";
import { readMe } from "@/server/domains/sessions/operations/me";
import { passkeyChallenge, signInWithPasskey } from "@/server/domains/sessions/operations/passkey-sign-in";
import { refreshSession } from "@/server/domains/sessions/operations/refresh";
import { removeLost } from "@/server/domains/sessions/operations/remove-lost-factors";
import { requestReset, sendReset } from "@/server/domains/sessions/operations/request-reset";
import { resetPassword, viewReset } from "@/server/domains/sessions/operations/reset-password";
import { signIn } from "@/server/domains/sessions/operations/sign-in";
import { signOut } from "@/server/domains/sessions/operations/sign-out";
import { subscriptionOperations } from "@/server/domains/subscriptions/operations/all";
import { exportAuditEntries, listAuditEntries } from "@/server/domains/timeline/operations/audit-entries";
import { auditState } from "@/server/domains/timeline/operations/audit-state";
import { auditTargets } from "@/server/domains/timeline/operations/audit-targets";
import { timeline } from "@/server/domains/timeline/operations/timeline";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { exportTransactions } from "@/server/domains/transactions/operations/export";
import { getTransaction } from "@/server/domains/transactions/operations/get";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { transactionPostings } from "@/server/domains/transactions/operations/postings";
import { dismissDispute, unexpectedDisputes } from "@/server/domains/transactions/operations/unexpected-disputes";
import { currentUser } from "@/server/domains/users/operations/current";
import { listUsers } from "@/server/domains/users/operations/list";
import { setDisplay } from "@/server/domains/views/operations/set-display";
import { createView, ownViews, removeView, updateView } from "@/server/domains/views/operations/views";
import { openApiOf } from "./openapi/document";
import { openApiOperation } from "./openapi/operation";

export const operations = {
  me: { get: readMe },
  sessions: {
    login,
    refresh: refreshSession,
    invalidate: invalidateSession,
    list: listSessions,
    lastSeen,
    endAll: endAllSessions,
    signIn,
    passkeyChallenge,
    signInWithPasskey,
    signOut,
  },
  accounts: {
    create: createAccount,
    update: updateAccount,
    close: closeAccount,
    closing: accountClosing,
    get: getAccount,
    list: listAccounts,
    names: accountNames,
    own: listOwnAccounts,
    setLogo,
    viewLogo,
  },
  users: {
    create: createUser,
    update: updateUser,
    remove: removeUser,
    list: listUsers,
    get: getUser,
    current: currentUser,
    changePassword,
    requestReset,
    sendReset,
    viewReset,
    viewSignUp,
    resetPassword,
    sendVerification,
    changeEmail,
    pendingEmail,
    cancelEmailChange,
    viewEmailLink,
    useEmailLink,
  },
  invitations: {
    create: createInvitation,
    list: listInvitations,
    resend: resendInvitation,
    revoke: revokeInvitation,
    view: viewInvitation,
  },
  factors: {
    own: ownFactors,
    ...{ setUpTotp, confirmTotp, removeTotp, renewCodes, removeLost },
    ...{ setUpPasskey, addPasskey, renamePasskey, removePasskey },
  },
  apiKeys: {
    ...{ create: createApiKey, list: listApiKeys },
    ...{ rotate: rotateApiKey, revoke: revokeApiKey },
    details: apiKeyDetails,
    leftBehind: apiKeysLeftBehind,
  },
  customers: {
    create: createCustomer,
    get: getCustomer,
    list: listCustomers,
    update: updateCustomerFields,
    merge: mergeCustomer,
    activity: customerActivity,
    erase: eraseCustomer,
  },
  payments: paymentOperations,
  subscriptions: subscriptionOperations,
  ledger: { entries: listEntries, exportEntries },
  transactions: {
    create: createTransaction,
    get: getTransaction,
    list: listTransactions,
    export: exportTransactions,
    postings: transactionPostings,
    ...{ unexpectedDisputes, dismissDispute },
  },
  mails: { list: listMails, get: getMail, resend: resendMail, server: mailServer, test: sendTestMail },
  search: { find: findEverything },
  views: { list: ownViews, create: createView, update: updateView, remove: removeView, setDisplay },
  overview: { figures: overviewFigures, attention: overviewAttention },
  events: { timeline },
  auditEntries: { list: listAuditEntries, export: exportAuditEntries, state: auditState, targets: auditTargets },
  sandbox: { challenge: viewChallenge, answerChallenge, clock, moveClock: moveSandboxClock, events, simulate, storm },
  jobs: { dead: deadJobs, retry: retryJob, retryAll: retryAllJobs },
  organizations: { setup: setUpInstance, get: organizationSettings, update: updateOrganizationSettings },
  instance: { state: instanceState },
  documents: { openapi: openApiOperation(() => describe()) },
};

/** The ids of all operations. */
export const operationIds = Object.values(operations).flatMap((verbs) => Object.values(verbs).map(({ id }) => id));

let description: Record<string, unknown> | undefined;

/** The OpenAPI document of this table, created once per process. */
function describe(): Record<string, unknown> {
  description ??= openApiOf(operations);
  return description;
}
