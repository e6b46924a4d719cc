package io.fanfare.common.auth;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The program that somebody logged in with, as its User-Agent header (RFC 9110, 10.1.5) describes it: enough to tell
 * one's own sessions apart, and no more is kept of the header. The network tells sessions of one browser apart.
 *
 * @param browser such as {@code Firefox}; empty = unknown
 * @param system such as {@code Android}; empty = unknown
 * @param network of the log-in, the /24 of an IPv4 address or the /48 of an IPv6 address; empty = unknown
 */
public record Device(String browser, String system, String network) {
    public static final Device UNKNOWN = new Device("", "", "");

    /** Products by the mark in the header. Browsers name those that they descend from as well: the first mark wins. */
    private static final Map<String, String> BROWSERS = inOrder(
            "Edg", "Edge",
            "OPR/", "Opera",
            "SamsungBrowser/", "Samsung Internet",
            "Vivaldi/", "Vivaldi",
            "YaBrowser/", "Yandex Browser",
            "Firefox/", "Firefox",
            "FxiOS/", "Firefox",
            "CriOS/", "Chrome",
            "Chromium/", "Chromium",
            "Chrome/", "Chrome",
            "Safari/", "Safari");

    /** Phones and tablets name the system that theirs descends from as well. */
    private static final Map<String, String> SYSTEMS = inOrder(
            "Android", "Android",
            "iPhone", "iOS",
            "iPad", "iPadOS",
            "CrOS", "ChromeOS",
            "Windows", "Windows",
            "Macintosh", "macOS",
            "Linux", "Linux");

    /**
     * The device that a header describes.
     *
     * @param userAgent null = there was no such header
     */
    public static Device of(String userAgent, String network) {
        return userAgent == null
                ? new Device("", "", network)
                : new Device(first(BROWSERS, userAgent), first(SYSTEMS, userAgent), network);
    }

    private static String first(Map<String, String> names, String userAgent) {
        for (Map.Entry<String, String> name : names.entrySet()) {
            if (userAgent.contains(name.getKey())) {
                return name.getValue();
            }
        }
        return "";
    }

    private static Map<String, String> inOrder(String... marksAndNames) {
        Map<String, String> names = new LinkedHashMap<>();
        for (int i = 0; i < marksAndNames.length; i += 2) {
            names.put(marksAndNames[i], marksAndNames[i + 1]);
        }
        return names;
    }
}
