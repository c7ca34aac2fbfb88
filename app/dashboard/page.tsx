// The dashboard begins with what one does most: asking for payments.
import { redirect } from "next/navigation";

export default function DashboardPage(): never {
  redirect("/dashboard/payment-requests");
}
