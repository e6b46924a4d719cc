package io.fanfare.common.text;

import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.FilterMatch;
import io.fanfare.common.model.UserFilter;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The filters of one viewer, ready to match statuses: in time in proportion to the text, however many keywords there
 * are. Immutable.
 */
public final class ViewerFilters {
    /** The filters of a viewer who has none: the only value without filters. */
    public static final ViewerFilters NONE = new ViewerFilters("", List.of());

    /** Filters that a status says of, whose titles would be more than the status itself otherwise. */
    static final int MATCHES_MAX = 10;

    /** About what a filter takes besides its texts. */
    private static final int FILTER_BYTES = 300;

    private final String version;
    private final List<UserFilter> filters;
    private final KeywordMatcher keywords;

    /** By the id of a status, under which filters it lies, by their places. */
    private final Map<Long, List<Integer>> byStatus = new HashMap<>();

    private ViewerFilters(String version, List<UserFilter> filters) {
        this.version = version;
        this.filters = List.copyOf(filters);
        List<List<KeywordMatcher.Word>> words = new ArrayList<>(filters.size());
        for (int i = 0; i < filters.size(); i++) {
            UserFilter filter = filters.get(i);
            words.add(filter.keywords().stream()
                    .map(keyword -> new KeywordMatcher.Word(composed(keyword.keyword()), keyword.wholeWord()))
                    .toList());
            for (UserFilter.OfStatus status : filter.statuses()) {
                byStatus.computeIfAbsent(status.statusId(), id -> new ArrayList<>(1))
                        .add(i);
            }
        }
        this.keywords = KeywordMatcher.of(words);
    }

    /**
     * These filters.
     *
     * @param version of them all
     */
    public static ViewerFilters of(String version, List<UserFilter> filters) {
        return filters.isEmpty() ? NONE : new ViewerFilters(version, filters);
    }

    /** Changes with the filters. */
    public String version() {
        return version;
    }

    /** About what they take in memory. */
    public int bytes() {
        int bytes = keywords.bytes() + 100 * byStatus.size();
        for (UserFilter filter : filters) {
            bytes += FILTER_BYTES
                    + 2 * filter.title().length()
                    + 40 * filter.statuses().size();
        }
        return bytes;
    }

    /**
     * Which of them match a status, the oldest first: at most {@value #MATCHES_MAX}, those with the strictest actions.
     *
     * @param id of the status
     * @param shownAs id of the repost by which it is shown, else its own
     * @param nowMillis Unix milliseconds
     */
    public List<FilterMatch> matches(Content content, long id, long shownAs, long nowMillis) {
        return matches(searchable(content), id, shownAs, nowMillis);
    }

    /** The same of a text as {@link #searchable} makes it. */
    public List<FilterMatch> matches(String text, long id, long shownAs, long nowMillis) {
        String[] found = keywords.find(text);
        List<Integer> itself = byStatus.getOrDefault(id, List.of());
        List<Integer> repost = shownAs == id ? List.of() : byStatus.getOrDefault(shownAs, List.of());
        if (found == null && itself.isEmpty() && repost.isEmpty()) {
            return List.of();
        }
        List<FilterMatch> matches = new ArrayList<>(1);
        for (int i = 0; i < filters.size(); i++) {
            UserFilter filter = filters.get(i);
            String keyword = found == null ? null : found[i];
            List<Long> statuses = new ArrayList<>(0);
            if (repost.contains(i)) {
                statuses.add(shownAs);
            }
            if (itself.contains(i)) {
                statuses.add(id);
            }
            if ((keyword != null || !statuses.isEmpty()) && !filter.isExpired(nowMillis)) {
                matches.add(new FilterMatch(filter, keyword, statuses));
            }
        }
        return matches.size() <= MATCHES_MAX ? matches : strictest(matches);
    }

    private static List<FilterMatch> strictest(List<FilterMatch> matches) {
        return matches.stream()
                .sorted(Comparator.comparingInt(match -> switch (match.filter().action()) {
                    case HIDE -> 0;
                    case WARN -> 1;
                    case BLUR -> 2;
                }))
                .limit(MATCHES_MAX)
                .toList();
    }

    /**
     * The text of a status in which keywords are looked for: its warning, its text, the descriptions of its pictures
     * and the options of its poll, with letters and their marks composed (NFC).
     */
    public static String searchable(Content content) {
        return composed(joined(content));
    }

    /** Both spellings of a letter with a mark are one. */
    private static String composed(String text) {
        return Normalizer.isNormalized(text, Normalizer.Form.NFC)
                ? text
                : Normalizer.normalize(text, Normalizer.Form.NFC);
    }

    private static String joined(Content content) {
        if (content.attachments().isEmpty() && content.poll() == null) {
            return content.spoilerText().isEmpty() ? content.text() : content.spoilerText() + "\n\n" + content.text();
        }
        StringBuilder text =
                new StringBuilder(content.spoilerText()).append("\n\n").append(content.text());
        for (Attachment attachment : content.attachments()) {
            text.append("\n\n").append(attachment.description());
        }
        if (content.poll() != null) {
            content.poll().options().forEach(option -> text.append("\n\n").append(option));
        }
        return text.toString();
    }
}
