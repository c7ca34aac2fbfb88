// next-intl's configuration of each HTTP request.
import { getRequestConfig } from "next-intl/server";
import { catalogs } from "./catalogs";
import { viewer } from "./viewer";

export default getRequestConfig(async () => {
  const { language, timeZone } = await viewer();
  return { locale: language, messages: catalogs[language], timeZone };
});
