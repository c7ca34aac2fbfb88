// How money may have arrived outside the pay page, as the options of a field.
const methods = ["cash", "bank_transfer", "check", "other"] as const;

type OfflineMethod = (typeof methods)[number];

/** An option of the field; empty for a method that is not stated. */
export interface MethodOption {
  value: OfflineMethod | "";
  label: string;
}

/** The options, with the texts of `transactions.methods`. */
export function methodOptions(t: (name: OfflineMethod | "unstated") => string): MethodOption[] {
  return [{ value: "", label: t("unstated") }, ...methods.map((value) => ({ value, label: t(value) }))];
}
