package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.secret.Secret;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeAddressTest {
    @Test
    void readsEveryPartOfTheUrl() {
        assertThat(of("redis://host")).isEqualTo(single(address("host", 6379), false, "", "", 0));
        assertThat(of("redis://:secret@10.0.0.1:7000/3"))
                .isEqualTo(single(address("10.0.0.1", 7000), false, "", "secret", 3));
        assertThat(of("rediss://app:p%40ss%3A%2F+%25@db.example:6380/"))
                .isEqualTo(single(address("db.example", 6380), true, "app", "p@ss:/+%", 0));
        assertThat(of("redis://[::1]:6379")).isEqualTo(single(address("::1", 6379), false, "", "", 0));
    }

    @Test
    void readsTheSocketOfAServerOnThisMachine() {
        NodeAddress address = of("unix://app:p%40ss@/var/lib/my%20data/redis.sock");
        assertThat(address)
                .isEqualTo(single(address("/var/lib/my data/redis.sock", 0), false, "app", "p@ss", 0))
                .hasToString("/var/lib/my data/redis.sock");
        assertThat(of("unix:///run/redis.sock").address().isSocket()).isTrue();
        assertThat(NodeAddress.Address.parse(address.toString(), address("asked", 1)))
                .isEqualTo(address.address());
    }

    @Test
    void readsTheNameOfAMasterThatSentinelsKnow() {
        NodeAddress address = of("rediss://app:p%40ss@my_master.1/2", RedisOptions.Mode.SENTINEL);
        assertThat(address)
                .isEqualTo(single(address("my_master.1", 0), true, "app", "p@ss", 2))
                .hasToString("my_master.1");
        assertThat(NodeAddress.Address.parse(address.toString(), address("asked", 1)))
                .isEqualTo(address.address());
        assertThat(NodeAddress.sentinels(settings("redis://mymaster", RedisOptions.Mode.SENTINEL)))
                .containsExactly(address("10.0.0.1", 26379), address("::1", 26380));
    }

    @Test
    void refusesWhatIsNoNameOfAMaster() {
        for (String url : List.of("redis://10.0.0.1:6379", "redis://[::1]:6379")) {
            assertThatThrownBy(() -> of(url, RedisOptions.Mode.SENTINEL))
                    .hasMessageContaining("the name of the master, without a port");
        }
        assertThatThrownBy(() -> of("unix:///run/redis.sock", RedisOptions.Mode.SENTINEL))
                .hasMessageContaining("redis.mode is sentinel");
    }

    @Test
    void readsEveryNodeOfTheUrl() {
        NodeAddress address = of("redis://app:p%40ss,@a:7000,b,[::1]:7001/0");
        assertThat(address.nodes()).containsExactly(address("a", 7000), address("b", 6379), address("::1", 7001));
        assertThat(address.address()).isEqualTo(address("a", 7000));
        assertThat(address.password()).isEqualTo("p@ss,");
    }

    @Test
    void neverShowsThePassword() {
        assertThat(of("redis://app:secret@host:7000")).hasToString("host:7000");
    }

    @Test
    void readsTheAddressOfARedirection() {
        NodeAddress.Address sender = address("asked", 1);
        assertThat(NodeAddress.Address.parse("127.0.0.1:6381", sender)).isEqualTo(address("127.0.0.1", 6381));
        assertThat(NodeAddress.Address.parse("::1:6381", sender)).isEqualTo(address("::1", 6381));
        assertThat(NodeAddress.Address.parse(":6381", sender)).isEqualTo(address("asked", 6381));
    }

    private static NodeAddress.Address address(String host, int port) {
        return new NodeAddress.Address(host, port);
    }

    private static NodeAddress of(String url) {
        return of(url, RedisOptions.Mode.STANDALONE);
    }

    private static NodeAddress of(String url, RedisOptions.Mode mode) {
        return NodeAddress.of(settings(url, mode));
    }

    private static RedisOptions settings(String url, RedisOptions.Mode mode) {
        return new RedisOptions(
                new Secret(url),
                mode,
                Namespace.NONE,
                mode == RedisOptions.Mode.SENTINEL ? List.of("10.0.0.1:26379", "[::1]:26380") : List.of(),
                new Secret(""),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                100,
                0,
                Duration.ofSeconds(1));
    }

    private static NodeAddress single(NodeAddress.Address address, boolean tls, String user, String password, int db) {
        return new NodeAddress(address, List.of(address), tls, user, password, db);
    }
}
