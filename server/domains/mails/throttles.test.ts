// Which limits count a mail.
import { expect, it } from "vitest";
import { mailThrottles } from "./throttles";

const counted = { organizationId: "org_1", accountId: "acc_1", paymentId: "pay_1", toKey: "bakery@example.com" };
const purposesOf = (kind?: string) =>
  mailThrottles({ ...counted, kind }, null).map(({ bucket }) => bucket.slice(0, bucket.indexOf(":")));

it("a mail to a customer counts for the account, the organization, the recipient and the payment request", () => {
  expect(purposesOf()).toEqual(["mail_account", "mail_organization", "mail_recipient", "mail_request"]);
});

it("the addresses of one mailbox count as one recipient", () => {
  const recipientOf = (toKey: string) =>
    mailThrottles({ ...counted, toKey }, null).find(({ bucket }) => bucket.startsWith("mail_recipient"))?.bucket;
  expect(recipientOf("bakery+1@example.com")).toBe(recipientOf("bakery@example.com"));
  expect(recipientOf("bakery+1+2@example.com")).toBe(recipientOf("bakery@example.com"));
  expect(recipientOf("other@example.com")).not.toBe(recipientOf("bakery@example.com"));
});

it("a mail that tells the account of its customer's wish uses up nothing of what customers may get", () => {
  expect(purposesOf("link_request")).toEqual(["mail_link_request"]);
});
