package io.fanfare.common.store;

import io.fanfare.common.model.FollowLanguages;
import io.fanfare.redis.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what {@code languages} keys hold: of each account a line of the edge of the follow, then codes. */
public final class FollowedLanguages {
    private FollowedLanguages() {}

    /** The codes of each account in the answer to HGETALL, in the order in which they were given; all edges count. */
    public static Map<Long, List<String>> of(List<Reply> fieldsAndValues) {
        if (fieldsAndValues.isEmpty()) {
            return Map.of();
        }
        Map<Long, List<String>> codes = new HashMap<>();
        for (int i = 0; i < fieldsAndValues.size(); i += 2) {
            codes.put(
                    fieldsAndValues.get(i).asLong(),
                    codes(fieldsAndValues.get(i + 1).asString()));
        }
        return codes;
    }

    private static List<String> codes(String line) {
        return FollowLanguages.words(line.substring(line.indexOf(' ') + 1));
    }

    /**
     * The codes of one account.
     *
     * @param line answer to HGET
     * @param following answer to ZSCORE of the follow: a line of another edge says nothing
     */
    static List<String> codes(Reply line, Reply following) {
        boolean counts = !line.isNil() && !following.isNil() && edge(line.asString()) == following.asLong();
        return counts ? codes(line.asString()) : List.of();
    }

    /** The edge of a line; it is the follow's, unless an older process has ended that. */
    public static long edge(String line) {
        return Long.parseLong(line.substring(0, line.indexOf(' ')));
    }
}
