#!/bin/sh
# camt-parser reads bank statements of the version camt.053.001.08, and gives amount, sign and status of each
# entry. Of the payments behind an entry it gives only the references: it has no field for the debtor, nor for
# free remittance text. It takes their amounts from one optional element (AmtDtls/TxAmt), not from the amount
# of the payment itself (TxDtls/Amt, ISO 20022). So an entry that collects two incoming payments says neither
# who paid, nor how much each paid, nor what for. Nothing fails: amounts and currencies are empty strings, and
# the rest is absent. Before you match payments by a statement library, read a batch of two payments with it
# and look for every value of the file.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error camt-parser@1.1.0 >/dev/null
npm ls --depth=0 | tail -n +2
cat >statement.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
  <BkToCstmrStmt>
    <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-27T18:00:00</CreDtTm></GrpHdr>
    <Stmt>
      <Id>S1</Id>
      <CreDtTm>2026-11-27T18:00:00</CreDtTm>
      <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
      <Bal>
        <Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp>
        <Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-27</Dt></Dt>
      </Bal>
      <Bal>
        <Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>
        <Amt Ccy="EUR">131.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-27</Dt></Dt>
      </Bal>
      <Ntry>
        <Amt Ccy="EUR">31.00</Amt>
        <CdtDbtInd>CRDT</CdtDbtInd>
        <Sts><Cd>BOOK</Cd></Sts>
        <BookgDt><Dt>2026-11-27</Dt></BookgDt>
        <ValDt><Dt>2026-11-27</Dt></ValDt>
        <BkTxCd><Prtry><Cd>NMSC</Cd></Prtry></BkTxCd>
        <NtryDtls>
          <Btch><NbOfTxs>2</NbOfTxs></Btch>
          <TxDtls>
            <Refs><EndToEndId>E1</EndToEndId></Refs>
            <Amt Ccy="EUR">10.50</Amt>
            <CdtDbtInd>CRDT</CdtDbtInd>
            <RltdPties><Dbtr><Pty><Nm>First Payer Ltd</Nm></Pty></Dbtr></RltdPties>
            <RmtInf><Ustrd>Invoice 2026-0117</Ustrd></RmtInf>
          </TxDtls>
          <TxDtls>
            <Refs><EndToEndId>E2</EndToEndId></Refs>
            <Amt Ccy="EUR">20.50</Amt>
            <CdtDbtInd>CRDT</CdtDbtInd>
            <RltdPties><Dbtr><Pty><Nm>Second Payer Ltd</Nm></Pty></Dbtr></RltdPties>
            <RmtInf><Ustrd>Invoice 2026-0118</Ustrd></RmtInf>
          </TxDtls>
        </NtryDtls>
      </Ntry>
    </Stmt>
  </BkToCstmrStmt>
</Document>
XML
cat >check.mjs <<'JS'
import { readFileSync } from "node:fs";
import parser from "camt-parser";

const { statements } = await parser.parseCamt053(readFileSync("statement.xml", "utf8"));
const [entry] = statements[0].transactions;
const text = JSON.stringify(entry);
const kept = ["31.00", "BOOK", "E1", "E2"];
const lost = ["10.50", "20.50", "First Payer Ltd", "Second Payer Ltd", "Invoice 2026-0117", "Invoice 2026-0118"];
console.log(`Expected: the entry has ${[...kept, ...lost].join(", ")}.`);
console.log("Found:   ", text);

if (kept.some((value) => !text.includes(value)) || lost.some((value) => text.includes(value))) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
