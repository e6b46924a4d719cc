package io.fanfare.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # trusted               | peer            | X-Forwarded-For              | counted as
            ''                      | 192.0.2.1       | 198.51.100.7                 | c0000201
            ''                      | 127.0.0.1       | 198.51.100.7                 | 7f000001
            127.0.0.1               | 127.0.0.1       | 198.51.100.7                 | c6336407
            127.0.0.1               | 127.0.0.1       | ''                           | 7f000001
            127.0.0.1               | 127.0.0.2       | 198.51.100.7                 | 7f000002
            127.0.0.1               | 127.0.0.1       | 10.9.9.9, 198.51.100.7       | c6336407
            127.0.0.1, 10.0.0.0/8   | 127.0.0.1       | 1.1.1.1, 198.51.100.7,10.1.2.3 | c6336407
            127.0.0.1 10.0.0.0/9    | 127.0.0.1       | 198.51.100.7, 10.200.0.1     | 0ac80001
            127.0.0.1               | 127.0.0.1       | 198.51.100.7:4711            | c6336407
            127.0.0.1               | 127.0.0.1       | nonsense                     | 7f000001
            10.0.0.0/8              | 10.0.0.1        | nonsense, 10.0.0.2           | 0a000002
            127.0.0.1               | 127.0.0.1       | [2001:db8:1:2:3:4:5:6]:443   | 20010db800010002
            ::1                     | 0:0:0:0:0:0:0:1 | 2001:db8:1:2::9              | 20010db800010002
            fd00::/8                | fd00::9         | 198.51.100.7                 | c6336407
            fe00::/7                | fd00::9         | 198.51.100.7                 | fd00000000000000
            127.0.0.1               | ::ffff:127.0.0.1 | 198.51.100.7                | c6336407
            0.0.0.0/0               | 127.0.0.1       | 198.51.100.7, 1.2.3.4        | c6336407
            """)
    void onlyTrustedProxiesAreBelievedFromTheRight(String trusted, String peer, String header, String expected) {
        byte[] address = new ClientAddress(trusted).of(peer, List.of(header));

        assertThat(ClientAddress.text(address)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"2001:db8:1:2::1, 2001:db8:1:2:ffff::9, true", "2001:db8:1:2::1, 2001:db8:1:3::1, false"})
    void addressesOfOneCustomerOfIpv6AreOne(String one, String other, boolean same) {
        ClientAddress addresses = new ClientAddress("");

        assertThat(ClientAddress.text(addresses.of(one, List.of()))
                        .equals(ClientAddress.text(addresses.of(other, List.of()))))
                .isEqualTo(same);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.77, 192.0.2.0/24",
        "::ffff:192.0.2.77, 192.0.2.0/24",
        "2001:db8:1:2::9, 2001:db8:1::/48",
        "nonsense, ''"
    })
    void theNetworkThatIsShownNamesNoHousehold(String peer, String network) {
        byte[] address = new ClientAddress("").of(peer, List.of());

        assertThat(ClientAddress.shownNetwork(address)).isEqualTo(network);
    }

    @Test
    void aCustomerOfIpv6MayHaveNetworksAroundTheAddress() {
        assertThat(ClientAddress.customers("20010db800010002"))
                .containsExactly("20010db800010002", "20010db8000100", "20010db80001");
        assertThat(ClientAddress.customers("c6336407")).containsExactly("c6336407");
        assertThat(ClientAddress.customers("unknown")).containsExactly("unknown");
        assertThat(ClientAddress.network("20010db800010002")).isEqualTo("20010db80001");
        assertThat(ClientAddress.network("c6336407")).isEqualTo("c63364");
        assertThat(ClientAddress.network("unknown")).isEqualTo("unknown");
        assertThat(ClientAddress.household("20010db800010002")).isEqualTo("20010db8000100");
        assertThat(ClientAddress.household("c6336407")).isEqualTo("c6336407");
    }

    @Test
    void headersThatCameSeveralTimesAreOneList() {
        byte[] address = new ClientAddress("127.0.0.1, 10.0.0.1").of("127.0.0.1", List.of("198.51.100.7", "10.0.0.1"));

        assertThat(ClientAddress.text(address)).isEqualTo("c6336407");
    }
}
