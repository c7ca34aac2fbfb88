// Replaces a page that failed.
"use client";
import { FailureNotice } from "./_ui/failure-notice";

interface Props {
  error: Error & { digest?: string };
  reset(): void;
}

export default function PageFailure(props: Props) {
  return (
    <main>
      <FailureNotice {...props} />
    </main>
  );
}
