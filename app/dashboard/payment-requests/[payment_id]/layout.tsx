// Sends the texts of the client components for a payment request.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts([
  "payLink",
  "refund",
  "paymentActs",
  "extendPayment",
  "markPaid",
  "lostDispute",
  "lateMoney",
  "applyCredit",
  "sendMail",
  "sendReminder",
  "simulate",
]);
