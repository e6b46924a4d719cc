package io.fanfare.bench.input;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads an edge list: {@code u v} on a line says that u follows v. Columns are separated by blanks, tabs, commas or
 * semicolons; further ones (weights, times) are ignored. Lines that are empty or begin with {@code #} or {@code %} are
 * comments. Names are non-negative integers; any other line is malformed: skipped and counted, as are self-loops and
 * repeats of an edge.
 *
 * <p>With a bound on users, the first that many users met are kept - line by line, first column before the second,
 * self-loops not counted - and an edge is kept when both its ends are.
 */
public final class EdgeListReader {
    public static final String MALFORMED = "malformed lines skipped";
    public static final String SELF_LOOP = "self-loops skipped";
    public static final String REPEAT = "repeated edges skipped";
    public static final String BEYOND = "edges of further users left out";

    private static final Pattern SEPARATOR = Pattern.compile("[\\s,;]+");
    private static final int DIGITS_MAX = 18;

    private final boolean undirected;
    private final boolean reverse;
    private final int usersMax;

    private final Skips skips = new Skips();
    private final Map<Long, Integer> numbers = new HashMap<>();
    private final List<Long> labels = new ArrayList<>();
    private final List<List<Integer>> followees = new ArrayList<>();
    private final Set<Long> seen = new HashSet<>();

    /**
     * @param undirected each line is two edges, one each way
     * @param reverse a line says that v follows u
     * @param usersMax how many users to keep
     */
    public EdgeListReader(boolean undirected, boolean reverse, int usersMax) {
        this.undirected = undirected;
        this.reverse = reverse;
        this.usersMax = usersMax;
    }

    /** Reads the file; to be called once. */
    public SocialGraph read(Path file) throws IOException {
        try (BufferedReader text = InputFile.open(file, "graph")) {
            long number = 0;
            for (String line = text.readLine(); line != null; line = text.readLine()) {
                number++;
                readLine(line.strip(), number);
            }
        }
        int[][] lists = new int[followees.size()][];
        Arrays.setAll(
                lists,
                user -> followees.get(user).stream().mapToInt(Integer::intValue).toArray());
        return new SocialGraph(labels, lists);
    }

    /** The lines that were left out. */
    public Skips skips() {
        return skips;
    }

    private void readLine(String line, long number) {
        if (line.isEmpty() || line.charAt(0) == '#' || line.charAt(0) == '%') {
            return;
        }
        String[] columns = SEPARATOR.split(line, 3);
        long u = label(columns[0]);
        long v = columns.length < 2 ? -1 : label(columns[1]);
        if (u < 0 || v < 0) {
            skips.add(MALFORMED, number);
            return;
        }
        if (u == v) {
            skips.add(SELF_LOOP, number);
            return;
        }
        int first = number(u);
        int second = number(v);
        if (first < 0 || second < 0) {
            skips.add(BEYOND, number);
            return;
        }
        if (undirected || !reverse) {
            add(first, second, number);
        }
        if (undirected || reverse) {
            add(second, first, number);
        }
    }

    private void add(int follower, int followee, long number) {
        if (seen.add((long) follower << 32 | followee)) {
            followees.get(follower).add(followee);
        } else {
            skips.add(REPEAT, number);
        }
    }

    /** The user's number; -1 when the user is one too many. */
    private int number(long label) {
        Integer known = numbers.get(label);
        if (known != null) {
            return known;
        }
        if (labels.size() >= usersMax) {
            return -1;
        }
        numbers.put(label, labels.size());
        labels.add(label);
        followees.add(new ArrayList<>());
        return labels.size() - 1;
    }

    private static long label(String column) {
        if (column.isEmpty() || column.length() > DIGITS_MAX) {
            return -1;
        }
        for (int i = 0; i < column.length(); i++) {
            if (column.charAt(i) < '0' || column.charAt(i) > '9') {
                return -1;
            }
        }
        return Long.parseLong(column);
    }
}
