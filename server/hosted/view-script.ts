// Reports that a pay page was seen, once it is visible: a page that the browser loads ahead, or in a tab that nobody has
// opened yet, is not. The page works the same without it.

/** Sends the form's token back once. */
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
