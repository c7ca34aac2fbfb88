// A form that is submitted before React has hydrated the page. No page accepts a native POST, so the browser must not
// send it: it is remembered, and submitted as soon as the form has its handler.

declare global {
  interface Window {
    /** Forms whose handler is attached. */
    handledForms?: WeakSet<HTMLFormElement>;
    /** The form that was submitted before it had one. */
    earlyForm?: HTMLFormElement;
  }
}

/** Runs in the document's head, before any form exists. Forms that use GET, such as filters, work without scripts. */
export const earlySubmissionScript = `
window.handledForms = new WeakSet();
addEventListener("submit", (event) => {
  if (event.target.method !== "post" || handledForms.has(event.target)) return;
  event.preventDefault();
  earlyForm = event.target;
}, true);
`;

/** Tells the script that the form has its handler, and submits the form if the user has already tried to. */
export function markHandled(form: HTMLFormElement): void {
  window.handledForms?.add(form);
  if (window.earlyForm !== form) return;
  window.earlyForm = undefined;
  form.requestSubmit();
}
