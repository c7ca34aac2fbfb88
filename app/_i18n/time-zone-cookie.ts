// The cookie with the browser's time zone, so that the server formats dates as the reader expects them.
export const timeZoneCookie = "time_zone";
