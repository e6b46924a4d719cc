package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.embedded.ServerBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;

/**
 * That nothing is shipped with a hole that checks/known-vulnerabilities.csv knows, but for what stands there with a
 * reason.
 */
class KnownVulnerabilitiesTest {
    private static final Path KNOWN = Path.of("../checks/known-vulnerabilities.csv");

    @Test
    void nothingThatIsShippedHasAKnownHoleWithoutAReason() throws IOException {
        Map<String, String> shipped = shipped();
        assertThat(shipped)
                .as("found on the class path")
                .containsKeys("netty-codec-http", "jackson-core", "vertx-core");
        assertThat(holes(shipped)).isEmpty();
    }

    @Test
    void everyArtifactThatTheFileNamesIsShippedAndEveryReasonStillNeeded() throws IOException {
        Map<String, String> shipped = shipped();
        for (CSVRecord row : known()) {
            assertThat(shipped).as(row.toString()).containsKey(row.get("artifact"));
            assertThat(row.get("severity")).isIn("low", "medium", "high", "critical");
            assertThat(row.get("id")).matches("CVE-\\d{4}-\\d{4,}|GHSA(-[2-9a-z]{4}){3}");
            if (!row.get("accepted").isEmpty()) {
                assertThat(row.get("accepted")).as("in use: " + row).isEqualTo(shipped.get(row.get("artifact")));
                assertThat(row.get("reason")).as(row.toString()).isNotBlank();
            }
        }
    }

    @Test
    void versionsWithHolesAreFound() throws IOException {
        assertThat(holes(Map.of("netty-codec-http", "4.2.12.Final"))).anyMatch(hole -> hole.contains("high"));
        assertThat(holes(Map.of("jackson-core", "2.18.6"))).anyMatch(hole -> hole.contains("high"));
        assertThat(holes(Map.of("vertx-core", "5.0.10"))).anyMatch(hole -> hole.contains("high"));
        assertThat(holes(Map.of("redis-server", "7.0.14"))).anyMatch(hole -> hole.contains("critical"));
        assertThat(holes(Map.of("netty-codec-http", "4.2.18.Final", "jackson-core", "2.18.11")))
                .isEmpty();
    }

    /** The vulnerabilities of these versions of artifacts that are known and not accepted. */
    private static List<String> holes(Map<String, String> versions) throws IOException {
        List<String> holes = new ArrayList<>();
        for (CSVRecord row : known()) {
            String version = versions.get(row.get("artifact"));
            boolean has = version != null
                    && Arrays.compare(numbers(version), numbers(row.get("from"))) >= 0
                    && (row.get("fixed").isEmpty() || Arrays.compare(numbers(version), numbers(row.get("fixed"))) < 0);
            if (has && !row.get("accepted").equals(version)) {
                holes.add(row.get("artifact") + " " + version + " has " + row.get("id") + " (" + row.get("severity")
                        + "): take " + (row.get("fixed").isEmpty() ? "another" : row.get("fixed")) + " or newer");
            }
        }
        return holes;
    }

    private static List<CSVRecord> known() throws IOException {
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setCommentMarker('#')
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        try (CSVParser rows = format.parse(Files.newBufferedReader(KNOWN))) {
            return rows.getRecords();
        }
    }

    /** Versions of the libraries on the class path by artifact, and of the server that comes with them. */
    private static Map<String, String> shipped() {
        Map<String, String> shipped = new TreeMap<>();
        for (ClassPath.Artifact artifact : ClassPath.artifacts()) {
            shipped.put(artifact.name(), artifact.version());
        }
        shipped.put("redis-server", ServerBinary.bundledOne().version());
        return shipped;
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("[^0-9]+"))
                .filter(part -> !part.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
