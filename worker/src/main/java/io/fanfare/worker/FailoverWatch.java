package io.fanfare.worker;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.ClusterMasters;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.vertx.Ticks;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when a replica has become the master of a shard, in a cluster or by sentinels. Replication is asynchronous,
 * so it may lack the last writes: what was pushed onto homes, whose heads still say that they are complete. Their shard
 * begins a new generation, and each home is built anew when it is read (docs/feeds.md, section 5). The event log begins
 * a new epoch, since it may give out numbers again.
 *
 * <p>One event loop of each process does so, with a script for each shard whose master has changed, and costs nothing
 * else: the link knows the masters in any case. One event loop.
 */
final class FailoverWatch {
    private static final Logger LOG = LoggerFactory.getLogger(FailoverWatch.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);

    /**
     * Times that a master is noted after it has changed: one that does not know yet that it is none any more takes the
     * note with it.
     */
    private static final int NOTES = 5;

    private static final Script NOTE = Script.load("note_master");

    private final Vertx vertx;
    private final RedisLink redis;
    private final Shards shards;
    private final EventLog events;
    private final LeadLoop lead;
    private final String name;
    private final Counter failovers;
    private final Map<String, Noted> noted = new HashMap<>();

    /** The replicas at the last look that noted every master. */
    private Set<String> replicas = Set.of();

    private boolean stopped;

    /**
     * @param lead decides which event loop of the process does it
     * @param name of the worker that it belongs to
     * @param failovers counts generations that were begun here
     */
    FailoverWatch(
            Vertx vertx,
            RedisLink redis,
            Shards shards,
            EventLog events,
            LeadLoop lead,
            String name,
            Counter failovers) {
        this.vertx = vertx;
        this.redis = redis;
        this.shards = shards;
        this.events = events;
        this.lead = lead;
        this.name = name;
        this.failovers = failovers;
    }

    /** How often a master of a key has been noted in a row. */
    private record Noted(String master, int times) {}

    void start() {
        if (stopped) {
            return;
        }
        look().onFailure(cause -> LOG.debug("masters not noted cause={}", RetryPolicy.describe(cause)))
                .onComplete(done -> Ticks.next(vertx, PAUSE.toMillis(), this::start));
    }

    void stop() {
        stopped = true;
    }

    private Future<Void> look() {
        ClusterMasters masters = redis.masters();
        if (masters == null || !lead.isLed(name)) {
            return Future.succeededFuture();
        }
        List<Future<Void>> notes = new ArrayList<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            String key = Keys.master(shard);
            String master = masters.of(key);
            if (isDue(key, master)) {
                notes.add(note(shard, master, movedFrom(master, masters)).onSuccess(done -> count(key, master)));
            }
        }
        String ofLog = masters.of(Keys.BUS_MASTER);
        if (isDue(Keys.BUS_MASTER, ofLog)) {
            notes.add(noteOfLog(ofLog, movedFrom(ofLog, masters)).onSuccess(done -> count(Keys.BUS_MASTER, ofLog)));
        }
        return Future.join(notes)
                .onSuccess(done -> replicas = masters.replicas())
                .mapEmpty();
    }

    /**
     * The masters from which a slot may have moved without a loss: none to a master that was a replica at the last
     * look. The slot may have moved to the master before it, which died since.
     */
    private Set<String> movedFrom(String master, ClusterMasters masters) {
        return replicas.contains(master) ? Set.of(master) : masters.all();
    }

    private boolean isDue(String key, String masterOrNull) {
        Noted last = noted.get(key);
        return masterOrNull != null && (last == null || !last.master().equals(masterOrNull) || last.times() < NOTES);
    }

    private void count(String key, String master) {
        Noted last = noted.get(key);
        boolean same = last != null && last.master().equals(master);
        noted.put(key, new Noted(master, same ? last.times() + 1 : 1));
    }

    private Future<Void> note(int shard, String master, Set<String> movedFrom) {
        List<Object> ids = new ArrayList<>(movedFrom.size() + 1);
        ids.add(master);
        ids.addAll(movedFrom);
        return redis.send(NOTE.call(List.of(Keys.master(shard), Keys.homeGeneration(shard)), ids.toArray()))
                .map(generation -> {
                    if (!generation.isNil()) {
                        failovers.increment();
                        LOG.warn(
                                "failover: the new master may lack writes, homes are rebuilt as they are read shard={} generation={} master={}",
                                shard,
                                generation.asLong(),
                                master);
                    }
                    return null;
                });
    }

    /** The epoch comes first, so that a crash between the two renews it twice rather than never. */
    private Future<Void> noteOfLog(String master, Set<String> movedFrom) {
        return redis.send(Command.of("GET", Keys.BUS_MASTER))
                .map(Reply::asString)
                .compose(last -> {
                    boolean lost = last != null && !movedFrom.contains(last);
                    return lost ? renewEpoch(master) : Future.succeededFuture();
                })
                .compose(done -> redis.send(Command.of("SET", Keys.BUS_MASTER, master)))
                .mapEmpty();
    }

    private Future<Void> renewEpoch(String master) {
        return events.state().compose(state -> events.renewEpoch(state.epoch()).map(epoch -> {
            failovers.increment();
            LOG.warn(
                    "failover: the new master may lack events, the log begins a new epoch and streams report a gap epoch={} master={}",
                    epoch,
                    master);
            return null;
        }));
    }
}
