package io.fanfare.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The permissions that the units of systemd give the service. */
class SystemdUnitsTest {
    private static final Path FOLDER = Path.of("..", "config", "systemd");

    /** In tenths, as {@code --threshold} takes it: an exposure of 2.0. */
    private static final int EXPOSURE_MAX = 20;

    @ParameterizedTest
    @ValueSource(strings = {"fanfare.service", "fanfare-@.service"})
    void theServiceHasNoMoreThanItNeeds(String unit) throws IOException {
        assertThat(Files.readAllLines(FOLDER.resolve(unit)))
                .contains(
                        "UMask=0077",
                        "NoNewPrivileges=yes",
                        "CapabilityBoundingSet=",
                        "SystemCallArchitectures=native",
                        "SystemCallFilter=@system-service",
                        "SystemCallFilter=~@privileged @resources",
                        "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
                        "RestrictNamespaces=yes",
                        "PrivateDevices=yes",
                        "PrivateTmp=yes",
                        "PrivateUsers=yes",
                        "ProtectHome=yes",
                        "ProtectProc=invisible",
                        "ProtectSystem=strict")
                // Which would keep the JVM from compiling.
                .doesNotContain("MemoryDenyWriteExecute=yes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fanfare.service", "fanfare-@.service"})
    void theScriptOfTheInstallationStartsTheServiceAndKeepsItsClasses(String unit) throws IOException {
        List<String> lines = Files.readAllLines(FOLDER.resolve(unit));

        // The script keeps the classes in the folder of CacheDirectory, and leaves the restarts to systemd.
        assertThat(lines)
                .contains(
                        "CacheDirectory=fanfare",
                        "TimeoutStartSec=180",
                        "Environment=FANFARE_RESTART=no",
                        "ExecStartPre=-/opt/fanfare/fanfare -Xmx64m prepare");
        assertThat(line(lines, "ExecStart=")).startsWith("ExecStart=/opt/fanfare/fanfare -Xmx1g ");
    }

    private static String line(List<String> lines, String beginning) {
        List<String> found =
                lines.stream().filter(line -> line.startsWith(beginning)).toList();
        assertThat(found).as(beginning).hasSize(1);
        return found.get(0);
    }

    /** Runs only with systemd installed; it need not be running. */
    @ParameterizedTest
    @ValueSource(strings = {"fanfare.service", "fanfare-@.service"})
    void systemdFindsTheServiceLittleExposed(String unit) throws Exception {
        assumeThat(Stream.of("/usr/bin", "/bin")
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "systemd-analyze"))))
                .as("systemd-analyze is installed")
                .isTrue();
        List<String> command = List.of(
                "systemd-analyze",
                "security",
                "--offline=true",
                "--no-pager",
                "--threshold=" + EXPOSURE_MAX,
                FOLDER.resolve(unit).toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        // Older than 250: it knows no --offline.
        assumeThat(output).doesNotContain("unrecognized option");

        assertThat(output).contains("Overall exposure level");
        assertThat(process.exitValue()).as(output).isZero();
    }
}
