// The test cards of the demo's customers.

export const goodCards = ["4242424242424242", "5555555555554444", "378282246310005", "4000056655665556"];
export const jcb = "3566002020360505";
export const refused = "4000000000000002";
export const noFunds = "4000000000009995";
/** Its refunds take a while. */
export const slowRefund = "4000000000007726";
/** Needs a confirmation by the card's bank. */
export const challenged = "4000002760003184";
/** With the security code 998, the connection to the provider breaks before its answer arrives. */
export const troubled = "4000000000000119";
/** Stored without a problem, and declined when it is charged later. */
export const declinedLater = "4000000000000341";
