// What next-intl needs for each request: English so far, for every reader.
import { getRequestConfig } from "next-intl/server";
import messages from "@/messages/en.json";
import { viewer } from "./viewer";

export default getRequestConfig(async () => ({ locale: "en", messages, timeZone: (await viewer()).timeZone }));
