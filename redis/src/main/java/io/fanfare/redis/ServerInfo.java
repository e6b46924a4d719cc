package io.fanfare.redis;

import java.util.HashMap;
import java.util.Map;

/**
 * The fields of a server's INFO.
 *
 * @param fields values by name
 */
public record ServerInfo(Map<String, String> fields) {
    /** Reads lines of {@code name:value}; passes over titles. */
    public static ServerInfo of(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return new ServerInfo(fields);
    }

    /** The value of a field; empty when it is missing. */
    public String text(String name) {
        return fields.getOrDefault(name, "");
    }

    /** The value of a field that is a whole number; 0 when it is missing. */
    public long number(String name) {
        String value = text(name);
        return value.isEmpty() ? 0 : Long.parseLong(value);
    }

    /** Name and version, such as {@code Redis 7.0.15}; Valkey says which Redis it is compatible with, too. */
    public String product() {
        String valkey = text("valkey_version");
        return valkey.isEmpty() ? "Redis " + fields.getOrDefault("redis_version", "?") : "Valkey " + valkey;
    }
}
