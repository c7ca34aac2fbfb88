// The settings open on their only page so far.
import { redirect } from "next/navigation";

export default function SettingsPage(): never {
  redirect("/dashboard/settings/mail");
}
