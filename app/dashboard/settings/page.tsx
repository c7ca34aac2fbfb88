// The settings open on their first page.
import { redirect } from "next/navigation";

export default function SettingsPage(): never {
  redirect("/dashboard/settings/organization");
}
