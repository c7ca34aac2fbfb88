// The texts that a client component sees under several layouts.
import { NextIntlClientProvider, useTranslations } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { AddedTexts } from "./added-texts";
import { catalogs } from "./catalogs";

function Words() {
  const copy = useTranslations("copy");
  const refund = useTranslations("refund");
  return `${copy("copy")}, ${refund("title")}`;
}

it("adds texts to those of the layouts around it, in their language", () => {
  const { copy, refund } = catalogs.de;
  const markup = renderToStaticMarkup(
    <NextIntlClientProvider locale="de" timeZone="UTC" messages={{ copy }}>
      <AddedTexts texts={JSON.stringify({ refund })}>
        <Words />
      </AddedTexts>
    </NextIntlClientProvider>,
  );
  expect(markup).toBe(`${copy.copy}, ${refund.title}`);
});
