// Names the text of each event of a history.

/** The name of the text of an event: some say more of what happened than their type. */
export function nameOf(type: string, data: Readonly<Record<string, unknown>>): string {
  // A link whose payers choose the amount asks for none.
  if (type === "payment.created" && data["amount"] === null) return "payment.created_chosen";
  if (type === "payment.updated") return `${type}${ofDispute(data)}`;
  if (type !== "subscription.updated") return type;
  if (data["previous_status"] === "incomplete") return `${type}_${data["status"]}`;
  if (data["failure_code"] !== undefined) return `${type}_failed`;
  if (data["cycle"] !== undefined) return `${type}_missed`;
  if (data["payment_method_last4"] !== undefined) return `${type}_card`;
  if (data["previous_cancel_at_period_end"] === true) return `${type}_kept`;
  return data["cancel_at_period_end"] === true ? `${type}_ending` : type;
}

/** What a dispute changed of the status, which no other event says. */
function ofDispute({ status, previous_status: before }: Readonly<Record<string, unknown>>): string {
  if (status === before || (status !== "disputed" && before !== "disputed")) return "";
  return status === "disputed" ? "_disputed" : "_undisputed";
}
