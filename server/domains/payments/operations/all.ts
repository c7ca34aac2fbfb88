// The operations on payment requests, by the names of their tRPC procedures.

import { acceptLate } from "./accept-late";
import { paymentActions } from "./actions";
import { allowCards } from "./allow-cards";
import { applyCredit } from "./apply-credit";
import { cancelPayment } from "./cancel";
import { capturePayment } from "./capture";
import { countPayments } from "./counts";
import { createPayment } from "./create";
import { paymentCreditNote, readIssuedCreditNote } from "./credit-note";
import { dismissLinkRequest } from "./dismiss-link-request";
import { duplicatePayment } from "./duplicate";
import { exportPayments } from "./export";
import { extendPayment } from "./extend";
import { finalizePayment } from "./finalize";
import { getPayment } from "./get";
import { paymentInvoice, readIssuedInvoice } from "./invoice";
import { leaveChallenge } from "./leave-challenge";
import { listPaymentRequests } from "./list";
import { markPaid } from "./mark-paid";
import { pay } from "./pay";
import { previewInvoice, previewPayment } from "./preview";
import { paymentReceipt } from "./receipt";
import { recordView } from "./record-view";
import { refundPayment } from "./refund";
import { refundSurplus } from "./refund-surplus";
import { remindPayment } from "./remind";
import { reopenPayment } from "./reopen";
import { requestLink } from "./request-link";
import { sendPayment } from "./send";
import { paymentStatus } from "./status";
import { overpaidPayments } from "./surplus";
import { updatePaymentRequest } from "./update";
import { useLink } from "./use-link";
import { viewPayment } from "./view";
import { writeOffPayment } from "./write-off";

export const paymentOperations = {
  create: createPayment,
  update: updatePaymentRequest,
  finalize: finalizePayment,
  duplicate: duplicatePayment,
  list: listPaymentRequests,
  export: exportPayments,
  counts: countPayments,
  get: getPayment,
  status: paymentStatus,
  overpaid: overpaidPayments,
  acts: paymentActions,
  cancel: cancelPayment,
  extend: extendPayment,
  allowCards,
  markPaid,
  applyCredit,
  ...{ reopen: reopenPayment, writeOff: writeOffPayment, acceptLate },
  capture: capturePayment,
  send: sendPayment,
  remind: remindPayment,
  refund: refundPayment,
  refundSurplus,
  view: viewPayment,
  preview: previewPayment,
  previewInvoice,
  receipt: paymentReceipt,
  ...{ invoice: paymentInvoice, issuedInvoice: readIssuedInvoice },
  ...{ creditNote: paymentCreditNote, issuedCreditNote: readIssuedCreditNote },
  ...{ pay, useLink },
  ...{ leaveChallenge, recordView, requestLink, dismissLinkRequest },
};
