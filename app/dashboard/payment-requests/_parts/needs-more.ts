// Whether the form for a payment request opens with its optional fields.
import { blankValues, type RequestValues } from "./request-values";

/** Whether any optional field is filled in. */
export const needsMore = (values: RequestValues): boolean => {
  const plain = blankValues(values.currency, values.account);
  const first = ["description", "amount", "currency", "account", "customer", "email", "kept"];
  return Object.entries(values).some(
    ([name, value]) => !first.includes(name) && JSON.stringify(value) !== JSON.stringify(plain[name]),
  );
};
