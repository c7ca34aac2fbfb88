// The button that prints a page: hidden until its script has run.
import { type Html, html } from "@/server/kit/html";

/** Shows the button and gives it its action. */
export const printScript = 'const it=document.getElementById("print");it.hidden=false;it.onclick=()=>print()';

/** The button, with this text. */
export const printButton = (text: string): Html =>
  html`<div id="print" hidden><button class="button outline" type="button">${text}</button></div>`;
