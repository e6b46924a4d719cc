package io.fanfare.bench.compare;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The program of a jar that writes the report that the jar contains, and needs no library. */
public final class FakeBenchmarks {
    static final String REPORT = "report.json";

    private FakeBenchmarks() {}

    public static void main(String[] args) throws IOException {
        List<String> options = List.of(args);
        System.out.println("arguments " + options);
        try (InputStream report = FakeBenchmarks.class.getResourceAsStream("/" + REPORT)) {
            String text = new String(report.readAllBytes(), StandardCharsets.UTF_8);
            if (text.isEmpty()) {
                System.out.println("no redis-server can be started");
                System.exit(1);
            }
            Files.writeString(Path.of(options.get(options.indexOf("--json") + 1)), text);
        }
    }
}
