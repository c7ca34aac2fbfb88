// Replaces a dashboard page that failed; the shell around it stays.
"use client";
import { FailureNotice } from "../_ui/failure-notice";

interface Props {
  error: Error & { digest?: string };
  reset(): void;
}

export default function DashboardFailure(props: Props) {
  return <FailureNotice {...props} />;
}
