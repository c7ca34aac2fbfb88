// The script that chooses the own amount once the payer uses its field. The form asks back without it.

/** Tabbing through the field chooses nothing. */
export const ownAmountScript = `
const own = document.querySelector("[name=choice][value=own]");
for (const type of own ? ["input", "click"] : []) {
  document.getElementById("own_amount").addEventListener(type, () => { own.checked = true; });
}
`;
