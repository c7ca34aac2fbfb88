// Examples of invitations.
import { at, ids, type OperationExamples, pageOf } from "./story";

const invitation = {
  invitation_id: ids.invitation,
  email: "grace@example.com",
  name: "Grace Hopper",
  role: "operator",
  status: "open",
  url: null,
  invited_by: ids.user,
  created_at: at.request,
  expires_at: "2026-11-27T14:05:00.000Z",
  accepted_at: null,
};

const url = "https://pay.example.com/invitation/qtiv_4fKdV8bXqR2mZ7tJwY3nLcHsU9pGaE1oBxQ6iD5kTrN0eS1a2";

export const invitationExamples: Readonly<Record<string, OperationExamples>> = {
  "invitations.create": {
    requests: {
      operator: { email: invitation.email, role: "operator", name: invitation.name, locale: "en" },
      member: {
        ...{ email: invitation.email, role: "member" },
        account: { account_type: "business", account_name: "Hopper's books" },
      },
    },
    response: { ...invitation, url },
  },
  "invitations.list": { response: pageOf({ ...invitation, status: "accepted", accepted_at: at.payment }) },
  "invitations.revoke": { response: { ...invitation, status: "revoked" } },
};
