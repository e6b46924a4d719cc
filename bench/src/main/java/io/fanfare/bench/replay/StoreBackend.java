package io.fanfare.bench.replay;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Meta;
import io.fanfare.core.LoopStores;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * {@link Backend} for a server whose Redis can be reached: fast, and it sees homes as they are stored and the queue as
 * it is. One event loop.
 */
final class StoreBackend implements Backend {
    private static final int ACCOUNTS_PER_CALL = 500;
    private static final int EDGES_PER_CALL = 1000;
    private static final int CALLS_AT_ONCE = 4;
    private static final int TOKENS_AT_ONCE = 100;
    private static final Set<String> SCOPES = Set.of("read", "write", "follow");

    private final RedisLink redis;
    private final Shards shards;
    private final Accounts accounts;
    private final Graph graph;
    private final Tokens tokens;
    private final Homes homes;
    private final JobQueue queue;

    private StoreBackend(RedisLink redis, Shards shards, SigningKeys keys, Settings settings, SecureRandom random) {
        this.redis = redis;
        this.shards = shards;
        LoopStores stores =
                LoopStores.of(LoopStores.Parts.uncached(redis, settings, shards, Clock.systemUTC(), random));
        this.accounts = stores.accounts();
        this.graph = stores.graph();
        this.tokens = new Tokens(redis, keys, Clock.systemUTC(), System::nanoTime, random);
        this.homes = stores.homes();
        this.queue = new JobQueue(redis, shards, settings.queue());
    }

    /** Joins the data set; fails when Redis is not there or holds another one. */
    static Future<StoreBackend> open(Vertx vertx, Settings settings, SecureRandom random) {
        return RedisLink.open(vertx, settings.redis().options()).compose(redis -> join(redis, settings, random)
                .recover(cause -> redis.close().transform(closed -> Future.failedFuture(cause))));
    }

    private static Future<StoreBackend> join(RedisLink redis, Settings settings, SecureRandom random) {
        Meta meta = new Meta(redis, random);
        return meta.join(settings.redis().shards()).compose(shards -> meta.signingKeys(settings.auth())
                .map(keys -> new StoreBackend(redis, shards, keys, settings, random)));
    }

    @Override
    public Future<List<Person>> people(List<String> usernames) {
        return BoundedParallel.each(parts(usernames, ACCOUNTS_PER_CALL), CALLS_AT_ONCE, accounts::signUpAll)
                .compose(parts -> {
                    List<Person> untokened = new ArrayList<>(usernames.size());
                    for (List<Long> ids : parts) {
                        for (long id : ids) {
                            untokened.add(new Person(usernames.get(untokened.size()), id, ""));
                        }
                    }
                    return BoundedParallel.each(untokened, TOKENS_AT_ONCE, this::withToken);
                });
    }

    @Override
    public Future<Void> follows(List<Person> people, SocialGraph social) {
        List<long[]> edges = new ArrayList<>();
        for (int user = 0; user < social.users(); user++) {
            for (int followee : social.followees(user)) {
                edges.add(
                        new long[] {people.get(user).id(), people.get(followee).id()});
            }
        }
        return BoundedParallel.each(parts(edges, EDGES_PER_CALL), CALLS_AT_ONCE, graph::followAll)
                .mapEmpty();
    }

    @Override
    public Future<Boolean> quiet() {
        return queue.stats().map(shards -> shards.stream().allMatch(QueueStats::isQuiet));
    }

    @Override
    public boolean seesQuiet() {
        return true;
    }

    @Override
    public Future<List<Long>> home(Person reader, int max) {
        return homes.raw(reader.id());
    }

    @Override
    public Future<List<Person>> lacking(List<Person> readers, long status) {
        return homes.lacking(readers.stream().map(Person::id).toList(), status).map(ids -> {
            Set<Long> lacking = new HashSet<>(ids);
            return readers.stream()
                    .filter(reader -> lacking.contains(reader.id()))
                    .toList();
        });
    }

    @Override
    public Future<OptionalLong> homesBuilt() {
        return homes.built(shards).map(OptionalLong::of);
    }

    @Override
    public Future<Long> pulledAuthors() {
        return homes.pulledAuthors(shards);
    }

    @Override
    public String means() {
        return "raw, through the store, and their first pages over HTTP";
    }

    @Override
    public Future<Void> close() {
        return redis.close();
    }

    private Future<Person> withToken(Person person) {
        return tokens.issue(person.id(), "replay", "fanfare replay", SCOPES)
                .map(issued -> new Person(person.username(), person.id(), issued.token()));
    }

    private static <T> List<List<T>> parts(List<T> all, int size) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += size) {
            parts.add(all.subList(from, Math.min(all.size(), from + size)));
        }
        return parts;
    }
}
