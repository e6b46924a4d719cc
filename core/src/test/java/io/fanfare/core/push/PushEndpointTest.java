package io.fanfare.core.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Refusal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PushEndpointTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1/x",
                "https://2130706433/x",
                "https://017700000001/x",
                "https://10.1.2.3:8443/x",
                "https://172.31.0.1/x",
                "https://192.168.1.1/x",
                "https://169.254.169.254/latest/meta-data",
                "https://100.64.0.1/x",
                "https://0.0.0.0/x",
                "https://255.255.255.255/x",
                "https://[::1]/x",
                "https://[::]/x",
                "https://[::ffff:127.0.0.1]/x",
                "https://[::ffff:7f00:1]/x",
                "https://[fe80::1]/x",
                "https://[fd00::1]/x",
                "https://[64:ff9b::10.0.0.1]/x",
                "https://[2002:7f00:1::]/x",
                "https://localhost/x",
                "https://localhost./x",
                "https://redis/x",
                "https://db.internal/x",
                "https://printer.local/x",
                "https://api.localhost/x"
            })
    void privateAddressesAreRefusedAndTakenWhereTheyAreAllowed(String endpoint) {
        assertThatThrownBy(() -> PushEndpoint.of(endpoint, false))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("private address");
        assertThat(PushEndpoint.of(endpoint, true).text()).isEqualTo(endpoint);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http://push.example.com/x",
                "ftp://push.example.com/x",
                "push.example.com/x",
                "https:///x",
                "https://127.1/x",
                "https://0x7f.1/x",
                "https://user:pw@push.example.com/x",
                "https://push.example.com/x#y",
                "https://push.example.com:0/x",
                "https://push.example.com:70000/x",
                "https://push.example.com/a b",
                "https://push.example.com/\u0001",
                "https://exämple.com/x",
                "//push.example.com/x",
                "mailto:a@example.com"
            })
    void invalidEndpointsAreRefused(String endpoint) {
        assertThatThrownBy(() -> PushEndpoint.of(endpoint, true))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("Endpoint");
    }

    @Test
    void aLongOneIsRefused() {
        assertThatThrownBy(() -> PushEndpoint.of("https://push.example.com/" + "x".repeat(2000), false))
                .hasMessageContaining("too long");
    }

    @Test
    void anEndpointIsTakenApart() {
        PushEndpoint one = PushEndpoint.of("https://Push.Example.com/a/b?c=d", false);
        assertThat(one.origin()).isEqualTo("https://push.example.com");
        assertThat(one.port()).isEqualTo(443);
        assertThat(one.path()).isEqualTo("/a/b?c=d");
        assertThat(one.toString()).doesNotContain("example");
        PushEndpoint other = PushEndpoint.of("https://[2606:4700::1]:8443", false);
        assertThat(other.origin()).isEqualTo("https://[2606:4700::1]:8443");
        assertThat(other.path()).isEqualTo("/");
        assertThat(PushEndpoint.of("https://a.example.com:443/", false).origin())
                .isEqualTo("https://a.example.com");
        assertThat(PushEndpoint.of("https://8.8.8.8/", false).host()).isEqualTo("8.8.8.8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "223.255.255.255", "2606:4700::1111"})
    void publicAddressesAre(String address) throws UnknownHostException {
        assertThat(PublicAddresses.contain(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.1.2.3",
                "10.0.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "169.254.0.1",
                "172.16.0.1",
                "192.0.0.8",
                "192.168.255.255",
                "198.19.0.1",
                "203.0.113.9",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "::ffff:10.0.0.1",
                "::10.0.0.1",
                "fe80::1",
                "fc00::1",
                "ff02::1",
                "2001::1",
                "2001:db8::1",
                "2002:a00:1::",
                "64:ff9b::a00:1",
                "64:ff9b:1::1",
                "100::1",
                "fec0::1",
                "5f00::1"
            })
    void otherAddressesAreNot(String address) throws UnknownHostException {
        assertThat(PublicAddresses.contain(InetAddress.getByName(address))).isFalse();
    }
}
