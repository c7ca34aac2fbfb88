// Replaces a dashboard page that failed; the shell around it stays.
"use client";
import { FailureNotice } from "../_ui/failure-notice";

export default function DashboardFailure({ error }: { error: Error & { digest?: string } }) {
  return <FailureNotice error={error} />;
}
