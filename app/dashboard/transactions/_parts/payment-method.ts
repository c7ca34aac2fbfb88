// A payment method in a few words.
import { useTranslations } from "next-intl";
import type { Outputs } from "@/app/_trpc/server";
import { cardBrand } from "@/app/_ui/card-brand";

type Paid = Pick<Outputs["transactions"]["get"], "type" | "payment_method" | "provider">;

/** "Visa •••• 4242"; null if it is not a payment or nothing is known. */
export function usePaymentMethod() {
  const t = useTranslations("transactions.methods");
  return ({ type, payment_method: method, provider }: Paid): string | null => {
    if (method === null) return type === "payment" && provider === null ? t("offline") : null;
    const known = method.type as "card";
    const kind = t.has(known) ? t(known) : method.type;
    const brand = method.brand === null ? kind : cardBrand(method.brand);
    return method.last4 === null ? brand : `${brand} •••• ${method.last4}`;
  };
}
