package io.fanfare.bench.replay;

import io.fanfare.bench.input.InputFile;
import io.fanfare.bench.input.Skips;
import io.fanfare.bench.input.SocialGraph;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Votes of a file, {@code voter article time} on each line, in the order of their times; without times in that of the
 * file. Names are any text without white space; a voter whom the graph knows votes as that user, and others as the
 * users of the graph in turn. Further columns and {@code #} comments are ignored; may be gzip.
 *
 * @param cast by number of user and article
 * @param articles how many there are
 */
record Votes(List<Vote> cast, int articles, Skips skips) {
    /** None. */
    static final Votes NONE = new Votes(List.of(), 0, new Skips());

    /** One line. */
    record Vote(int user, int article, long time) {}

    Votes {
        cast = List.copyOf(cast);
    }

    /** Fails with {@link IOException} whose message says what is wrong with the file. */
    static Votes read(Path file, SocialGraph graph) throws IOException {
        Map<String, Integer> users = new HashMap<>();
        for (int user = 0; user < graph.users(); user++) {
            users.put(String.valueOf(graph.label(user)), user);
        }
        Map<String, Integer> articles = new HashMap<>();
        List<Vote> cast = new ArrayList<>();
        Skips skips = new Skips();
        try (BufferedReader lines = InputFile.open(file, "votes")) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                String[] words = line.strip().split("\\s+", 4);
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                if (words.length < 2) {
                    skips.add("lines without an article skipped", number);
                    continue;
                }
                int user = users.computeIfAbsent(words[0], name -> users.size() % graph.users());
                int article = articles.computeIfAbsent(words[1], name -> articles.size());
                cast.add(new Vote(user, article, time(words)));
            }
        }
        if (cast.isEmpty()) {
            throw new IOException("no votes in " + file.getFileName());
        }
        cast.sort(Comparator.comparingLong(Vote::time));
        return new Votes(cast, articles.size(), skips);
    }

    private static long time(String[] words) {
        return words.length > 2 && words[2].matches("\\d{1,18}") ? Long.parseLong(words[2]) : 0;
    }
}
