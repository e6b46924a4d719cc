package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.server.runtime.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalCertificateTest {
    private static final Instant NOW = Instant.parse("2026-11-26T00:00:00Z");
    private static final MachineNames HOME =
            new MachineNames(List.of("localhost", "kitchen", "kitchen.local"), List.of("127.0.0.1", "192.168.1.20"));

    @TempDir
    Path data;

    @Test
    void theNextStartFindsBothAgain() throws IOException {
        LocalCertificate first = make(HOME, NOW);
        byte[] server = server();

        LocalCertificate second = make(HOME, NOW.plus(Duration.ofDays(300)));

        assertThat(first.isNew()).isTrue();
        assertThat(second.isNew()).isFalse();
        assertThat(second.fingerprint()).isEqualTo(first.fingerprint()).matches("([0-9A-F]{2}:){31}[0-9A-F]{2}");
        assertThat(server()).isEqualTo(server);
    }

    @Test
    void otherAddressesAndLocalNamesGetACertificateOfTheSameCa() throws IOException {
        LocalCertificate first = make(HOME, NOW);
        byte[] before = server();

        assertThat(make(HOME.and("2001:db8::7").and("[fd00::1]").and("printer.lan"), NOW)
                        .fingerprint())
                .isEqualTo(first.fingerprint());

        assertThat(server()).isNotEqualTo(before);
        byte[] wider = server();
        assertThat(make(HOME, NOW).isNew()).isFalse();
        assertThat(server()).as("names that are gone do no harm").isEqualTo(wider);
    }

    @Test
    void aNameThatTheCaMayNotVouchForNeedsANewCa() {
        LocalCertificate first = make(HOME, NOW);
        LocalCertificate renamed = make(HOME.and("social.example"), NOW);
        assertThat(renamed.isNew()).isTrue();
        assertThat(renamed.fingerprint()).isNotEqualTo(first.fingerprint());
        assertThat(make(HOME.and("social.example"), NOW).isNew()).isFalse();
    }

    @Test
    void whatNearsItsEndIsMadeAnew() throws IOException {
        LocalCertificate first = make(HOME, NOW);
        byte[] before = server();
        Instant later = NOW.plus(Duration.ofDays(370));
        assertThat(make(HOME, later).fingerprint()).isEqualTo(first.fingerprint());
        assertThat(server()).isNotEqualTo(before);

        assertThat(make(HOME, NOW.plus(Duration.ofDays(3630))).isNew()).isTrue();
    }

    @Test
    void whatIsDamagedIsMadeAnew() throws IOException {
        LocalCertificate first = make(HOME, NOW);
        Files.writeString(LocalCertificate.file(data), "rubbish");
        assertThat(make(HOME, NOW).fingerprint()).isEqualTo(first.fingerprint());

        Files.writeString(data.resolve("tls/ca.pem"), "rubbish");
        assertThat(make(HOME, NOW).isNew()).isTrue();
        assertThat(TlsIdentity.read(LocalCertificate.file(data), LocalCertificate.file(data), NOW)
                        .chain())
                .hasSize(2);
    }

    @Test
    void onlyTheOwnerReadsWhatIsInTheFolder() throws IOException {
        assertThat(make(HOME, NOW).ca()).exists();
        for (String file : List.of("tls/ca.pem", "tls/ca.crt", "tls/server.pem")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(file))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void wildcardsAndWhatIsNoNameAreNotTakenIn() {
        assertThat(HOME.and("0.0.0.0").and("::").and("").and("no name")).isEqualTo(HOME);
    }

    @Test
    void theMachineHasItsLoopbackNames() throws IOException {
        MachineNames now = MachineNames.now();
        assertThat(now.names()).startsWith("localhost");
        assertThat(now.names().subList(1, now.names().size())).allMatch(name -> name.contains("."));
        assertThat(now.addresses()).contains("127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(now.reachable()).isNotEmpty();
    }

    private byte[] server() throws IOException {
        return Files.readAllBytes(LocalCertificate.file(data));
    }

    private LocalCertificate make(MachineNames names, Instant now) {
        return LocalCertificate.in(data, names, now, new SecureRandom());
    }
}
