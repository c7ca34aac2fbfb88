// The cookie in which a browser tells its time zone, so that the server can write dates as their reader knows them.
export const timeZoneCookie = "time_zone";
