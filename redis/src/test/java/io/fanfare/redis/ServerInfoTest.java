package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerInfoTest {
    private static final String REDIS =
            "# Server\r\nredis_version:7.0.15\r\n\r\n# Memory\r\nused_memory:12\r\nos: Linux\r\n";

    @Test
    void fieldsAreReadAndTitlesPassedOver() {
        ServerInfo info = ServerInfo.of(REDIS);

        assertThat(info.fields()).containsOnlyKeys("redis_version", "used_memory", "os");
        assertThat(info.number("used_memory")).isEqualTo(12);
        assertThat(info.text("os")).isEqualTo("Linux");
    }

    @Test
    void missingFieldsAreEmptyAndZero() {
        assertThat(ServerInfo.of("").text("maxmemory_policy")).isEmpty();
        assertThat(ServerInfo.of("").number("maxmemory")).isZero();
        assertThat(ServerInfo.of("").product()).isEqualTo("Redis ?");
    }

    @Test
    void valkeyIsNamedThoughItReportsARedisVersionToo() {
        assertThat(ServerInfo.of(REDIS).product()).isEqualTo("Redis 7.0.15");
        assertThat(ServerInfo.of(REDIS + "valkey_version:8.1.4\r\n").product()).isEqualTo("Valkey 8.1.4");
    }
}
