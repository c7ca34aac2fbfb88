// The answer of a route with a preview of a pay page, which the dashboard shows in a frame.

export const previewAnswer = (status: number, body: string | null) =>
  new Response(body, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      // The form shows the text in a frame. Opened by itself, it is no page of the dashboard.
      "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  });
