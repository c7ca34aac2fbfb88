// The dashboard opens on its most frequent task: requesting payments.
import { redirect } from "next/navigation";

export default function DashboardPage(): never {
  redirect("/dashboard/payment-requests");
}
