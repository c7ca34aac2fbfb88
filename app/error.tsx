// Replaces a page that failed.
"use client";
import { FailureNotice } from "./_ui/failure-notice";

export default function PageFailure({ error }: { error: Error & { digest?: string } }) {
  return (
    <main>
      <FailureNotice error={error} />
    </main>
  );
}
