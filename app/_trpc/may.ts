// What the signed-in user may do, read from the access table, so that a page offers nothing that would be refused.
import { may } from "@/server/access/may";
import type { RuleName } from "@/server/access/rules";
import type { Outputs } from "./server";

type User = Outputs["users"]["current"];

/** Whether the row lets the user do it with what the user owns, in the organization's mode and with its settings. */
export const userMay = ({ user_id: userId, role, organization }: User, name: RuleName): boolean =>
  may(
    name,
    { type: "user", role, userId },
    {
      organization: {
        isLive: organization.mode === "live",
        membersRecordPayments: organization.members_record_payments,
      },
    },
  );

/** Whether the user may look at the organization and change nothing in it: all others may cancel payment requests. */
export const mayOnlyRead = (user: User): boolean => !userMay(user, "payments.cancel");
