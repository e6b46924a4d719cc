package io.fanfare.core.site;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Owns {@link Keys#SITE}: the rules, texts and announcements that operators publish. */
public final class Sites {
    private static final Script CHANGE = Script.load("site_change");

    /** Attempts of a change while others change the site too. */
    private static final int ATTEMPTS = 5;

    private final Redis redis;

    public Sites(Redis redis) {
        this.redis = redis;
    }

    /** The site as it is now. */
    public Future<Site> load() {
        return redis.send(Command.of("HGETALL", Keys.SITE)).map(reply -> SiteCodec.decode(fields(reply)));
    }

    private static Map<String, String> fields(Reply reply) {
        List<Reply> flat = reply.flat();
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i).asString(), flat.get(i + 1).asString());
        }
        return fields;
    }

    /** The site if it has changed since a version. Reads one number if it has not. */
    public Future<Optional<Site>> news(long version) {
        return redis.send(Command.of("HGET", Keys.SITE, SiteCodec.VERSION))
                .compose(now -> (now.isNil() ? 0 : now.asLong()) == version
                        ? Future.succeededFuture(Optional.empty())
                        : load().map(Optional::of));
    }

    /**
     * Changes the site. The change is made again of a newer version if somebody else was faster, a few times; then it
     * fails with {@code Refusal(OVERLOADED)}. Fails with the {@link Refusal} of the change.
     */
    public Future<Site> change(UnaryOperator<Site> change) {
        return change(change, ATTEMPTS);
    }

    private Future<Site> change(UnaryOperator<Site> change, int attempts) {
        return load().compose(before -> {
            Site after = change.apply(before);
            return write(before, after).compose(written -> {
                if (written) {
                    return Future.succeededFuture(after);
                }
                return attempts > 1
                        ? change(change, attempts - 1)
                        : Future.failedFuture(new Refusal(
                                Refusal.Reason.OVERLOADED,
                                "Others change the rules and texts at the same time: try again in a moment."));
            });
        });
    }

    /** Whether nobody else has changed the site since. */
    private Future<Boolean> write(Site before, Site after) {
        Map<String, String> old = SiteCodec.encode(before);
        Map<String, String> fields = SiteCodec.encode(after);
        List<String> gone = old.keySet().stream()
                .filter(field -> !fields.containsKey(field))
                .toList();
        List<Object> arguments = new ArrayList<>(List.of(before.version(), gone.size()));
        arguments.addAll(gone);
        fields.forEach((field, value) -> {
            if (!value.equals(old.get(field)) || before.version() == 0) {
                arguments.addAll(List.of(field, value));
            }
        });
        return redis.send(CHANGE.call(List.of(Keys.SITE), arguments.toArray())).map(version -> version.asLong() > 0);
    }
}
