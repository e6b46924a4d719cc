package io.fanfare.bench.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeListReaderTest {
    private static final int ALL = Integer.MAX_VALUE;

    @TempDir
    private Path dir;

    @ParameterizedTest(name = "undirected={0} reverse={1}")
    @CsvSource({
        "false, false, '7>9'",
        "false, true,  '9>7'",
        "true,  false, '7>9 9>7'",
        "true,  true,  '7>9 9>7'",
    })
    void readsALineInTheRequestedDirection(boolean undirected, boolean reverse, String edges) throws IOException {
        assertThat(edges(new EdgeListReader(undirected, reverse, ALL).read(file("7 9\n"))))
                .containsExactly(edges.split(" "));
    }

    @Test
    void saysWhichFileCannotBeReadAndWhy() throws IOException {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gzip)) {
            out.write("1 2\n".repeat(1000).getBytes(StandardCharsets.US_ASCII));
        }
        byte[] cut = Arrays.copyOf(gzip.toByteArray(), gzip.size() - 10);
        byte[] damaged = gzip.toByteArray();
        damaged[12] ^= 0x55;

        assertUnreadable(dir.resolve("none"), "does not exist");
        assertUnreadable(dir, "is a directory");
        assertUnreadable(Files.write(dir.resolve("head.gz"), new byte[] {0x1f, (byte) 0x8b}), "is broken gzip");
        assertUnreadable(Files.write(dir.resolve("cut.gz"), cut), "is broken gzip");
        assertUnreadable(Files.write(dir.resolve("damaged.gz"), damaged), "is broken gzip");
    }

    private static void assertUnreadable(Path file, String why) {
        assertThatThrownBy(() -> new EdgeListReader(false, false, ALL).read(file))
                .isInstanceOf(InputFile.Unreadable.class)
                .hasMessageStartingWith("the graph file " + file + " " + why);
    }

    @Test
    void ignoresCommentsFurtherColumnsAndTheKindOfSeparator() throws IOException {
        EdgeListReader reader = new EdgeListReader(false, false, ALL);
        SocialGraph graph = reader.read(file("# u v weight\n% another\n\n1 2 0.5 x\n1\t3\n2,3,1\n  3;1\r\n"));
        assertThat(edges(graph)).containsExactly("1>2", "1>3", "2>3", "3>1");
        assertThat(reader.skips().sentences()).isEmpty();
    }

    @Test
    void skipsAndCountsSelfLoopsRepeatsAndMalformedLinesWithTheirNumbers() throws IOException {
        EdgeListReader reader = new EdgeListReader(false, false, ALL);
        SocialGraph graph = reader.read(file("1 2\n1 1\n1 2\nu v\n3\n-1 2\n1.5 2\n1234567890123456789 2\n2 1\n"));
        assertThat(edges(graph)).containsExactly("1>2", "2>1");
        assertThat(reader.skips().sentences())
                .containsExactly(
                        "1 self-loops skipped (line 2)",
                        "1 repeated edges skipped (line 3)",
                        "5 malformed lines skipped (lines 4, 5, 6, 7, 8)");
    }

    @Test
    void countsAnEdgeGivenBothWaysInAnUndirectedFileAsARepeat() throws IOException {
        EdgeListReader reader = new EdgeListReader(true, false, ALL);
        SocialGraph graph = reader.read(file("1 2\n2 1\n"));
        assertThat(graph.edges()).isEqualTo(2);
        assertThat(reader.skips().count(EdgeListReader.REPEAT)).isEqualTo(2);
    }

    @Test
    void keepsTheFirstUsersMetAndTheEdgesAmongThem() throws IOException {
        EdgeListReader reader = new EdgeListReader(false, false, 3);
        // 5 comes in a self-loop first, which does not count; 4 is the fourth user met.
        SocialGraph graph = reader.read(file("5 5\n1 2\n3 4\n4 1\n3 1\n5 1\n2 3\n"));
        assertThat(edges(graph)).containsExactly("1>2", "2>3", "3>1");
        assertThat(reader.skips().count(EdgeListReader.BEYOND)).isEqualTo(3);
    }

    @Test
    void knowsFollowersAndTheirNumber() throws IOException {
        SocialGraph graph = new EdgeListReader(false, false, ALL).read(file("1 2\n3 2\n2 3\n"));
        assertThat(graph.label(1)).isEqualTo(2);
        assertThat(graph.followerCount(1)).isEqualTo(2);
        assertThat(graph.followers(1)).containsExactly(0, 2);
    }

    @Test
    void readsGzipWhateverTheFileIsCalled() throws IOException {
        Path file = dir.resolve("edges.txt");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("1 2\n".getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(edges(new EdgeListReader(false, false, ALL).read(file))).containsExactly("1>2");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("graph.edges"), text);
    }

    private static List<String> edges(SocialGraph graph) {
        List<String> edges = new ArrayList<>();
        for (int user = 0; user < graph.users(); user++) {
            for (int followee : graph.followees(user)) {
                edges.add(graph.label(user) + ">" + graph.label(followee));
            }
        }
        return edges;
    }
}
