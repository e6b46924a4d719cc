package io.fanfare.stream.wire;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.match.Box;
import io.fanfare.stream.match.FilterSpec;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A status with what it matched by, for streams that ask for {@code explain=1}: one more field at the end of its JSON.
 *
 * <pre>{@code
 * {"id":"281474976710656",...,"matched":{"track":["hello world"],"follow":["8"],"locations":[[179.0,-1.0,-179.0,1.0]]}}
 * }</pre>
 */
public final class MatchExplanation {
    private MatchExplanation() {}

    public static LoggedEvent of(LoggedEvent status, FilterSpec.Reasons reasons) {
        String body = status.event().body();
        String open = body.substring(0, body.length() - 1);
        String explained = open + (open.equals("{") ? "" : ",") + "\"matched\":" + json(reasons) + "}";
        return status.withBody(explained);
    }

    private static String json(FilterSpec.Reasons reasons) {
        return "{\"track\":"
                + list(reasons.track().stream().map(MatchExplanation::quoted).toList())
                + ",\"follow\":"
                + list(reasons.follow().stream().map(id -> "\"" + id + "\"").toList())
                + ",\"locations\":"
                + list(reasons.locations().stream()
                        .map(MatchExplanation::corners)
                        .toList()) + "}";
    }

    private static String list(List<String> values) {
        return values.stream().collect(Collectors.joining(",", "[", "]"));
    }

    private static String corners(Box box) {
        return "[" + box.west() + "," + box.south() + "," + box.east() + "," + box.north() + "]";
    }

    private static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
