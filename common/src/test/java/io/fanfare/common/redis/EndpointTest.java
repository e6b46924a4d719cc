package io.fanfare.common.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.Secret;
import io.fanfare.common.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EndpointTest {
    @Test
    void readsEveryPartOfTheUrl() {
        assertThat(of("redis://host")).isEqualTo(new Endpoint(address("host", 6379), false, "", "", 0));
        assertThat(of("redis://:secret@10.0.0.1:7000/3"))
                .isEqualTo(new Endpoint(address("10.0.0.1", 7000), false, "", "secret", 3));
        assertThat(of("rediss://app:p%40ss%3A%2F+%25@db.example:6380/"))
                .isEqualTo(new Endpoint(address("db.example", 6380), true, "app", "p@ss:/+%", 0));
        assertThat(of("redis://[::1]:6379")).isEqualTo(new Endpoint(address("::1", 6379), false, "", "", 0));
    }

    @Test
    void readsTheSocketOfAServerOnThisMachine() {
        Endpoint endpoint = of("unix://app:p%40ss@/var/lib/my%20data/redis.sock");
        assertThat(endpoint)
                .isEqualTo(new Endpoint(address("/var/lib/my data/redis.sock", 0), false, "app", "p@ss", 0))
                .hasToString("/var/lib/my data/redis.sock");
        assertThat(of("unix:///run/redis.sock").address().isSocket()).isTrue();
        assertThat(Endpoint.Address.parse(endpoint.toString(), address("asked", 1)))
                .isEqualTo(endpoint.address());
    }

    @Test
    void neverShowsThePassword() {
        assertThat(of("redis://app:secret@host:7000")).hasToString("host:7000");
    }

    @Test
    void readsTheAddressOfARedirection() {
        Endpoint.Address asked = address("asked", 1);
        assertThat(Endpoint.Address.parse("127.0.0.1:6381", asked)).isEqualTo(address("127.0.0.1", 6381));
        assertThat(Endpoint.Address.parse("::1:6381", asked)).isEqualTo(address("::1", 6381));
        assertThat(Endpoint.Address.parse(":6381", asked)).isEqualTo(address("asked", 6381));
    }

    private static Endpoint.Address address(String host, int port) {
        return new Endpoint.Address(host, port);
    }

    private static Endpoint of(String url) {
        return Endpoint.of(new Settings.Redis(
                new Secret(url),
                Settings.Redis.Mode.STANDALONE,
                16,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                100,
                Duration.ofDays(1)));
    }
}
