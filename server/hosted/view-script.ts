// The script with which a pay page reports that it was seen. The page works the same without it.

/**
 * Sends the form's token back once the page is visible. A page that the browser loads in advance, or in a background
 * tab, is not visible yet.
 */
export const viewScript = `
let sent = false;
const report = () => {
  if (sent || document.visibilityState !== "visible") return;
  sent = true;
  const form_token = document.querySelector("[name=form_token]").value;
  const body = new URLSearchParams({ act: "view", form_token });
  navigator.sendBeacon(location.pathname, body);
};
document.addEventListener("visibilitychange", report);
report();
`;
