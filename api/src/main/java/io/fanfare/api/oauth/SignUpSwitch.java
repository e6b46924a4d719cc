package io.fanfare.api.oauth;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Registrations;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * The mode of sign-up that an operator has chosen while the service runs: one field of {@code {meta}}, which outlives
 * every process. Without it {@code auth.registrations} decides.
 */
public final class SignUpSwitch {
    private static final String FIELD = "sign-ups";

    private final Redis redis;

    public SignUpSwitch(Redis redis) {
        this.redis = redis;
    }

    /**
     * An operator's choice.
     *
     * @param sinceMillis Unix time
     */
    public record Choice(Registrations mode, long sinceMillis) {
        /** A mode of a later version counts as closed: this version cannot keep what it promises. */
        private static Choice of(String stored) {
            String[] words = stored.split(" ", 2);
            return new Choice(Registrations.of(words[0]).orElse(Registrations.CLOSED), Long.parseLong(words[1]));
        }

        private String stored() {
            return mode.spelling() + " " + sinceMillis;
        }
    }

    /** Empty = the setting decides. */
    public Future<Optional<Choice>> read() {
        return redis.send(Command.of("HGET", Keys.META, FIELD))
                .map(stored -> stored.isNil() ? Optional.empty() : Optional.of(Choice.of(stored.asString())));
    }

    public Future<Void> choose(Choice choice) {
        return redis.send(Command.of("HSET", Keys.META, FIELD, choice.stored())).mapEmpty();
    }

    /** From now on the setting decides. */
    public Future<Void> forget() {
        return redis.send(Command.of("HDEL", Keys.META, FIELD)).mapEmpty();
    }
}
