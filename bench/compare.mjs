// npm run bench -- --statements: compares the baseline's statements with the product's.
import { cases } from "./cases.mjs";
import { load, statementsOf } from "./servers.mjs";

/**
 * Prints the statements of one request of each case, marking those that only one of the two runs. For reads also prints
 * the lengths of the answers, which must be equal.
 */
export async function compareStatements({ baseline, products: [product] }) {
  for (const [name, { request }] of Object.entries(cases)) {
    const [ofBaseline, ofProduct] = [await noted(request, baseline), await noted(request, product)];
    console.log(`\n${name}: ${ofProduct.length} statements`);
    for (const text of ofProduct) console.log(`  ${take(ofBaseline, text) ? " " : "only the product:  "} ${text}`);
    for (const text of ofBaseline) console.log(`  only the baseline: ${text}`);
    const lengths = [await answerLength(request, baseline), await answerLength(request, product)];
    if (lengths[0] !== null) console.log(`  characters of the answer: ${lengths.join(" and ")}`);
  }
}

/** The statements of a second request. The first also runs one-time statements. */
async function noted(request, target) {
  const [server] = target.servers;
  let texts = [];
  for (let time = 0; time < 2; time++) {
    await statementsOf(server);
    await load({ targets: [request({ ...target, url: server.url }, 1)], connections: 1, amount: 1 });
    texts = await statementsOf(server);
  }
  return texts;
}

async function answerLength(request, target) {
  const { url, kind, headers } = request({ ...target, url: target.servers[0].url }, 1);
  return kind === "plain" ? (await (await fetch(url, { headers })).text()).length : null;
}

function take(texts, text) {
  const at = texts.indexOf(text);
  if (at >= 0) texts.splice(at, 1);
  return at >= 0;
}
