package io.fanfare.redis.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that is run, and its known vulnerabilities. */
class ServerBinaryTest {
    @TempDir
    Path dir;

    @Test
    void aProgramWithOtherBytesThanThoseOfTheReleaseIsNotRun() throws IOException {
        Path bundled = ServerBinary.bundledOne().path();
        String name = bundled.getFileName().toString();
        Path copy = Files.copy(bundled, dir.resolve(name));
        Files.writeString(copy, "#!/bin/sh\necho something else\n");
        assertThat(copy.toFile().setExecutable(true)).isTrue();

        String digest = digestOf(bundled);
        assertThat(ServerBinary.unpack(name, digest, dir)).isEqualTo(copy).hasSameBinaryContentAs(bundled);

        assertThatThrownBy(() -> ServerBinary.unpack(name, "00".repeat(32), dir))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("its SHA-256 differs");
        try (var files = Files.list(dir)) {
            assertThat(files.toList()).containsExactly(copy);
        }
    }

    private static String digestOf(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theVulnerabilitiesOfTheBundledServerAreNamedWithHowToReplaceIt() {
        ServerBinary bundled = ServerBinary.bundledOne();
        assertThat(ServerHoles.of(bundled).orElseThrow())
                .contains("CVE-2025-49844", "apt-get install redis-server or valkey-server");
        assertThat(ServerHoles.isOpen(bundled)).isTrue();
    }

    @Test
    void ofOtherServersTheVersionDecidesAndWhoseItIs() {
        for (String fine :
                List.of("Redis 7.4.9", "Redis 8.2.7", "Redis 8.8.0", "Redis 9.0.0", "Valkey 9.1.1", "Valkey 10.0.0")) {
            assertThat(ServerHoles.of(at("/opt/bin", fine))).as(fine).isEmpty();
        }
        for (String open : List.of(
                "Redis 7.0.15", "Redis 7.2.4", "Redis 7.4.8", "Redis 8.4.0-rc1", "Valkey 8.1.4", "Valkey 7.2.5")) {
            assertThat(ServerHoles.of(at("/opt/bin", open)).orElseThrow())
                    .as(open)
                    .contains("install ");
            assertThat(ServerHoles.isOpen(at("/opt/bin", open))).isTrue();
        }
        ServerBinary ofDebian = at("/usr/bin", "Redis 7.0.15");
        assertThat(ServerHoles.of(ofDebian).orElseThrow()).contains("ask your system");
        assertThat(ServerHoles.isOpen(ofDebian))
                .as("patched without another version")
                .isFalse();
    }

    private static ServerBinary at(String dir, String program) {
        String[] words = program.split(" ", 2);
        return new ServerBinary(Path.of(dir, "redis-server"), words[0], words[1], "jemalloc", false);
    }
}
