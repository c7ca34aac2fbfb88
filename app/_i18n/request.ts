// next-intl's configuration of each HTTP request: English for every reader so far.
import { getRequestConfig } from "next-intl/server";
import messages from "@/messages/en.json";
import { viewer } from "./viewer";

export default getRequestConfig(async () => ({ locale: "en", messages, timeZone: (await viewer()).timeZone }));
