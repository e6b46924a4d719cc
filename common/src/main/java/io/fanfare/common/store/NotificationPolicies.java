package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.NotificationPolicy;
import io.fanfare.common.model.NotificationPolicy.Choice;
import io.fanfare.common.model.NotificationPolicy.Source;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Owns {@code notification-policy} and {@code accepted-senders} keys: of whose doings accounts want word, by where it
 * comes from and by who does it.
 */
public class NotificationPolicies {
    private static final Script ACCEPT_SENDERS = Script.load("accept_senders");

    /** Accounts that an account accepts by name, about 80 KB; the newest. */
    private static final int SENDERS_MAX = 1000;

    private final Redis redis;

    public NotificationPolicies(Redis redis) {
        this.redis = redis;
    }

    /** The choices of an account; it accepts everything but limited accounts until it makes one. */
    public Future<NotificationPolicy> of(long account) {
        return BatchedPipeline.send(redis, List.of(choices(account), Command.of("ZCARD", Keys.LIMITED_ACCOUNTS)))
                .map(replies -> {
                    Map<Source, Choice> choices = choices(replies.get(0));
                    if (replies.get(1).asLong() > 0) {
                        choices.putIfAbsent(Source.LIMITED_ACCOUNTS, Choice.FILTER);
                    }
                    return new NotificationPolicy(choices, Set.of(), Set.of());
                });
    }

    /** The same, with those of these accounts that it accepts by name; one round trip. */
    public Future<NotificationPolicy> over(long account, Collection<Long> actors) {
        if (actors.isEmpty()) {
            return of(account);
        }
        List<Long> ids = List.copyOf(actors);
        Command senders = Command.of("ZMSCORE", Keys.acceptedSenders(account), ids.toArray());
        Command limited = Command.of("ZMSCORE", Keys.LIMITED_ACCOUNTS, ids.toArray());
        return BatchedPipeline.send(redis, List.of(choices(account), senders, limited))
                .map(replies -> new NotificationPolicy(
                        choices(replies.get(0)),
                        Scores.members(ids, replies.get(1)),
                        Scores.members(ids, replies.get(2))));
    }

    private static Command choices(long account) {
        List<Object> fields = new ArrayList<>();
        for (Source source : Source.values()) {
            fields.add(source.wire());
        }
        return Command.of("HMGET", Keys.notificationPolicy(account), fields.toArray());
    }

    private static Map<Source, Choice> choices(Reply chosen) {
        Map<Source, Choice> choices = new EnumMap<>(Source.class);
        int next = 0;
        for (Source source : Source.values()) {
            Reply value = chosen.items().get(next++);
            Choice choice = value.isNil() ? null : Choice.of(value.asString());
            if (choice != null) {
                choices.put(source, choice);
            }
        }
        return choices;
    }

    /** Changes these and leaves the others. */
    public Future<Void> choose(long account, Map<Source, Choice> choices) {
        if (choices.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Object> fields = new ArrayList<>();
        choices.forEach((source, choice) -> {
            fields.add(source.wire());
            fields.add(choice.wire());
        });
        return redis.send(Command.of("HSET", Keys.notificationPolicy(account), fields.toArray()))
                .mapEmpty();
    }

    /**
     * Accepts these by name from now on, until they are blocked, or {@value #SENDERS_MAX} others have been accepted
     * since.
     */
    public Future<Void> accept(long account, Collection<Long> senders) {
        if (senders.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Object> args = new ArrayList<>(List.of("", SENDERS_MAX));
        args.addAll(senders);
        return redis.send(ACCEPT_SENDERS.call(List.of(Keys.acceptedSenders(account)), args.toArray()))
                .mapEmpty();
    }
}
