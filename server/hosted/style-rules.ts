// The rules of the hosted pages' style sheet: screen in light and dark mode, high contrast, and print.

import { fixedChoices } from "@/server/domains/payments/choices";

const chosen = (choice: string) => `body:has([name=choice][value^=${choice}-]:checked) .when.${choice}`;

export const rules = `
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:var(--color-page);color:var(--color-text);font:var(--weight-normal) var(--text-md)/var(--leading-normal) var(--font-sans);-webkit-font-smoothing:antialiased;overflow-wrap:anywhere}
h1,h2,p,dl,dd,ul,fieldset{margin:0;padding:0;border:0}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.test{padding:var(--space-2) var(--space-4);background:var(--color-test);color:var(--color-on-test);font-size:var(--text-sm);text-align:center}
.test b{margin-inline-end:var(--space-2);letter-spacing:.06em}
main{width:100%;max-width:calc(var(--width-form) + 2*var(--space-4));margin:0 auto;padding:clamp(var(--space-4),8vh,var(--space-16)) var(--space-4) 0;flex:1}
.card{border:1px solid var(--color-line);border-radius:var(--radius-lg);background:var(--color-surface);box-shadow:var(--shadow-card);overflow:hidden}
.part{padding:var(--space-6)}
.part+.part{border-top:1px solid var(--color-line)}
.part.alert{padding-bottom:0}
.part.alert+.part{border:0}
.from{display:flex;flex-wrap:wrap;align-items:center;gap:var(--space-3);font-weight:var(--weight-medium)}
.tile{flex:none;display:grid;place-items:center;width:var(--space-10);height:var(--space-10);border:1px solid var(--accent);border-radius:var(--radius-md);background:var(--brand);color:var(--on-brand);font-weight:var(--weight-bold);font-size:var(--text-lg)}
.from>:last-child{flex:1 1 9em}
.logo{max-width:100%;max-height:var(--space-12);padding:4px;border-radius:4px;background:#fff}
h1:not(:first-child){margin-top:var(--space-5)}
h1{font-size:var(--text-lg);font-weight:var(--weight-bold);line-height:var(--leading-tight)}
.amount+h1{margin-top:var(--space-2);font-size:var(--text-md);font-weight:var(--weight-medium);line-height:var(--leading-normal)}
.what,.fold,.fold .facts,.fold+.facts{margin-top:var(--space-2)}
.what details{display:none}
@supports selector(:has(a)){@media screen{.what details{display:block}.what:not(:has([open])) .cut{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}}}
summary{padding-block:var(--space-1);color:var(--accent);font-size:var(--text-sm);cursor:pointer}
@supports selector(::details-content){@media print,(min-width:40em){.fold summary{display:none}.fold::details-content{content-visibility:visible}}}
.note b{white-space:nowrap}
.dim{color:var(--color-text-dimmed);font-size:var(--text-sm)}
.amount{margin-top:var(--space-2);font-size:var(--text-amount);font-weight:var(--weight-bold);line-height:var(--leading-tight);letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.from+.amount{margin-top:var(--space-4)}
.longer{font-size:var(--text-2xl)}
.amount small{font-size:var(--text-md);font-weight:var(--weight-normal);letter-spacing:0;color:var(--color-text-dimmed)}
.facts{display:grid;gap:var(--space-2);margin-top:var(--space-4);font-size:var(--text-sm)}
.facts div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 var(--space-4)}
.facts dt{overflow-wrap:break-word;color:var(--color-text-dimmed)}
.facts dd{margin-inline-start:auto;text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}
.facts .words dd{flex:1 1 50%;white-space:normal}
.facts .item dt{flex:1 1 40%;overflow-wrap:anywhere;color:inherit}
.facts .item span{display:block;color:var(--color-text-dimmed)}
.facts .item+:not(.item){padding-top:var(--space-2);border-top:1px solid var(--color-line)}
.facts .sum{padding-top:var(--space-2);border-top:1px solid var(--color-line);font-weight:var(--weight-bold)}
.facts .sum dt{color:inherit}
h2{font-size:var(--text-md);font-weight:var(--weight-bold)}
code{font:var(--text-xs)/var(--leading-normal) var(--font-mono)}
.note{padding:var(--space-3) var(--space-4);border-radius:var(--radius-md);font-size:var(--text-sm)}
.note:focus{outline:0}
.bad{background:var(--color-negative-tint);color:var(--color-negative)}
.hint{background:var(--color-surface-sunken);color:var(--color-text-dimmed)}
.note h2{font-size:inherit;line-height:inherit}
.note ul{padding-inline-start:var(--space-4)}
.note a{display:block;color:inherit}
p>a,.note a{padding:.25rem 0}
.first{position:fixed;top:-9em}
form,fieldset,.acts{display:grid;gap:var(--space-4);min-width:0}
.acts,.acts form{gap:var(--space-3)}
legend{padding:0;font-size:var(--text-lg);font-weight:var(--weight-bold);margin-bottom:var(--space-3)}
.picks{gap:var(--space-2)}
.pick{display:flex;flex-wrap:wrap;align-items:center;gap:var(--space-3);margin:0;padding:var(--space-2) var(--space-3);min-height:var(--target-touch);border:1px solid var(--color-line-strong);border-radius:var(--radius-sm);cursor:pointer}
.pick span{flex:1 8em}
.pick small{display:block;color:var(--color-text-dimmed);font-weight:var(--weight-normal)}
.pick b{font-variant-numeric:tabular-nums;white-space:nowrap}
.when{display:none}
@supports selector(:has(a)){body:has([name=choice]:checked:not([value=own])) .otherwise{display:none}${fixedChoices.map(chosen).join(",")}{display:inline}}
.pick input{flex:none;width:var(--space-5);min-height:var(--space-5);margin:0;accent-color:var(--accent)}
.row{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:var(--space-4);align-items:start}
label{display:block;margin-bottom:var(--space-1);font-size:var(--text-sm);font-weight:var(--weight-medium)}
input:not([type=radio]){width:100%;min-height:var(--target-touch);padding:0 var(--space-3);border:1px solid var(--color-line-strong);border-radius:var(--radius-sm);background:var(--color-surface);color:inherit;font:inherit;font-variant-numeric:tabular-nums}
[dir=rtl] :is([dir=ltr],.cut){text-align:right}
[dir=rtl] .amount{letter-spacing:0}
::placeholder{color:var(--color-text-placeholder);opacity:1}
input[aria-invalid]{border-color:var(--color-negative);box-shadow:inset 0 0 0 1px var(--color-negative)}
.help,.error{display:block;margin-top:var(--space-1);font-size:var(--text-sm);color:var(--color-text-dimmed)}
.error{color:var(--color-negative)}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:var(--space-12);padding:var(--space-2) var(--space-4);border:1px solid var(--accent);border-radius:var(--radius-md);background:var(--brand);color:var(--on-brand);font:var(--weight-bold) var(--text-md)/var(--leading-tight) var(--font-sans);font-variant-numeric:tabular-nums;text-decoration:none;text-align:center;cursor:pointer}
.outline{background:var(--color-surface);border-color:var(--color-line-strong);color:var(--color-text)}
.button:hover{box-shadow:0 0 0 2px var(--color-surface),0 0 0 3px var(--accent)}
.state{display:grid;justify-items:center;gap:var(--space-2);text-align:center}
.state h1{text-wrap:balance;margin-top:var(--space-2);font-size:var(--text-xl)}
.mark{display:grid;place-items:center;width:var(--space-12);height:var(--space-12);border-radius:50%;background:var(--color-surface-sunken);color:var(--color-text-dimmed)}
.good{background:var(--color-positive-tint);color:var(--color-positive)}
.wrong{background:var(--color-negative-tint);color:var(--color-negative)}
.busy{background:var(--color-primary-tint);color:var(--color-link)}
.mark svg{width:50%;fill:none;stroke:currentColor;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}
footer{display:flex;flex-wrap:wrap;justify-content:center;text-align:center;gap:0 var(--space-4);padding:var(--space-4);color:var(--color-text-dimmed);font-size:var(--text-sm)}
footer a,footer p,nav span{display:inline-block;padding:var(--space-1);color:inherit}
@media (max-width:30em){main{padding-top:var(--space-4)}.part{padding:var(--space-5) var(--space-4)}.long{font-size:var(--text-2xl)}.longer{font-size:var(--text-xl)}}
@media (max-width:22em){.amount{font-size:var(--text-2xl)}.long,.longer{font-size:var(--text-xl)}}
@media (forced-colors:active){.mark,.note{border:1px solid}}
@media print{@page{margin:14mm}:root{color-scheme:light;font-size:13px}form,.acts,nav{display:none}body{min-height:0;background:none}main{max-width:none;padding:0}.card{border:0;box-shadow:none}.part{padding:var(--space-3) 0}.facts{gap:var(--space-1);margin-top:var(--space-2)}.facts .item span{display:inline}.item span,.item code{margin-inline-start:var(--space-3)}.facts div,h2{break-inside:avoid}h2{break-after:avoid}.test{border:1px solid}.test,.tile{print-color-adjust:exact}}
`.trim();
