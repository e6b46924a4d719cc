package io.fanfare.client.stream;

import io.fanfare.client.http.Arguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Selects the public statuses of a filter stream. At least one of phrases, accounts and boxes is needed. Immutable:
 * each method returns another filter. The server checks the values, and refuses wrong ones with a sentence that names
 * the parameter (406, or 413 for too many).
 */
public final class Filter {
    private final Map<String, String> parameters;

    private Filter(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    /** Statuses that contain all words of at least one phrase. */
    public static Filter track(String... phrases) {
        return new Filter(Map.of()).andTrack(phrases);
    }

    /** Statuses of these accounts, answers to them and reposts of them; ids or user names. */
    public static Filter follow(String... accounts) {
        return new Filter(Map.of()).andFollow(accounts);
    }

    /** Statuses from these places. */
    public static Filter locations(Box... boxes) {
        return new Filter(Map.of()).andLocations(boxes);
    }

    /** Without any condition so far, for {@link #parameter}. */
    public static Filter empty() {
        return new Filter(Map.of());
    }

    /** Further phrases. */
    public Filter andTrack(String... phrases) {
        return listed("track", phrases);
    }

    /** Further accounts. */
    public Filter andFollow(String... accounts) {
        return listed("follow", accounts);
    }

    /** Further places. */
    public Filter andLocations(Box... boxes) {
        return joined(
                "locations",
                Arrays.stream(boxes)
                        .map(box -> Arguments.present(box, "a box").text())
                        .toList());
    }

    /** Also all other statuses that name an account of {@link #follow}. */
    public Filter mentions() {
        return parameter("mentions", "1");
    }

    /** Phrases, accounts and places must all match; otherwise one of them is enough. */
    public Filter matchAll() {
        return parameter("combine", "and");
    }

    /** Statuses with one of these phrases are left out. */
    public Filter exclude(String... phrases) {
        return listed("exclude", phrases);
    }

    /** Only statuses in one of these languages, such as {@code en}. */
    public Filter language(String... codes) {
        return listed("language", codes);
    }

    /** Selects the text of a repost that is matched: {@code include}, {@code comment} or {@code exclude}. */
    public Filter reposts(String which) {
        return parameter("reposts", which);
    }

    /** Leaves out noise: {@code none}, {@code low} or {@code medium}. */
    public Filter filterLevel(String level) {
        return parameter("filter_level", level);
    }

    /** Traditional and simplified Chinese characters match each other. */
    public Filter foldChinese() {
        return parameter("fold", "zh");
    }

    /** A part of the matches, in percent, always the same part. */
    public Filter rate(double percent) {
        return parameter("rate", Double.toString(percent));
    }

    /**
     * One of several parts, by the author, so that several readers share a stream.
     *
     * @param index from 0
     * @param count at most 1,024
     */
    public Filter partition(int index, int count) {
        return parameter("partition", partitionText(index, count));
    }

    /**
     * Only these fields of each status, such as {@code content}, and {@code id}. The others are null, zero or empty.
     */
    public Filter fields(String... names) {
        return listed("fields", names);
    }

    static String partitionText(int index, int count) {
        int parts = Arguments.range(count, 1, 1024, "the count of partitions");
        return Arguments.range(index, 0, parts - 1, "the number of the partition") + "/" + parts;
    }

    /** Each status names the terms that it matches, in the field {@code matched} of its {@link StreamEvent#json}. */
    public Filter explain() {
        return parameter("explain", "1");
    }

    /** A parameter by its name in the API; it replaces an earlier value. */
    public Filter parameter(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(parameters);
        String unused = all.put(
                Arguments.text(name, "the name of the parameter", 50),
                Arguments.present(value, "the parameter " + name));
        return new Filter(all);
    }

    /** Values with commas between. One that contains a comma would be several values for the server. */
    private Filter listed(String name, String... values) {
        for (String value : values) {
            Arguments.check(
                    value == null || (value.indexOf(',') < 0 && value.indexOf('\uff0c') < 0),
                    "a value of " + name
                            + " contains a comma, which separates values: pass each as an argument of its own");
        }
        return joined(name, Arrays.asList(values));
    }

    private Filter joined(String name, Collection<String> values) {
        Arguments.notEmpty(values, name);
        List<String> all = new ArrayList<>();
        if (parameters.containsKey(name)) {
            all.add(parameters.get(name));
        }
        values.forEach(value -> all.add(Arguments.text(value, "a value of " + name, 1000)));
        return parameter(name, String.join(",", all));
    }

    Map<String, String> parameters() {
        return parameters;
    }

    @Override
    public String toString() {
        return parameters.toString();
    }

    /** A box of degrees; over the date line when {@code west} is greater than {@code east}. Edges belong to it. */
    public record Box(double west, double south, double east, double north) {
        public Box {
            Arguments.check(
                    Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90,
                    "a box has longitudes from -180 to 180 and latitudes from -90 to 90");
            Arguments.check(south <= north, "the south of a box is north of its north: swap them");
        }

        private String text() {
            return west + "," + south + "," + east + "," + north;
        }
    }
}
