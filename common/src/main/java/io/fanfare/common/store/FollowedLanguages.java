package io.fanfare.common.store;

import io.fanfare.common.model.FollowLanguages;
import io.fanfare.common.redis.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what {@code languages} keys hold: of each account a line of the edge of the follow, then codes. */
public final class FollowedLanguages {
    private FollowedLanguages() {}

    /** The codes of each account in the answer to HGETALL, in the order in which they were given. */
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

    /** The codes of a line. */
    static List<String> codes(String line) {
        return FollowLanguages.words(line.substring(line.indexOf(' ') + 1));
    }

    /** The edge of a line; it is the follow's, unless an older process has ended that. */
    public static long edge(String line) {
        return Long.parseLong(line.substring(0, line.indexOf(' ')));
    }
}
