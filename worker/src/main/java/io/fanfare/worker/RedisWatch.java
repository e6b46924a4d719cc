package io.fanfare.worker;

import io.fanfare.common.store.BackupStamp;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.ServerInfo;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the memory of each master of Redis and the time of the last backup four times a minute. The {@link LeadLoop}
 * does so for its process. A master that does not answer is left out. One event loop.
 */
final class RedisWatch {
    private static final Logger LOG = LoggerFactory.getLogger(RedisWatch.class);
    private static final Duration PAUSE = Duration.ofSeconds(15);

    private final Vertx vertx;
    private final RedisLink redis;
    private final BackupStamp backups;
    private final RedisGauges gauges;
    private final LeadLoop lead;
    private final String name;
    private boolean stopped;

    /** @param name of the worker that it belongs to */
    RedisWatch(Vertx vertx, RedisLink redis, RedisGauges gauges, LeadLoop lead, String name) {
        this.vertx = vertx;
        this.redis = redis;
        this.backups = new BackupStamp(redis);
        this.gauges = gauges;
        this.lead = lead;
        this.name = name;
    }

    void start() {
        if (stopped) {
            return;
        }
        look().onComplete(done -> vertx.setTimer(PAUSE.toMillis(), timer -> start()));
    }

    void stop() {
        stopped = true;
    }

    private Future<Void> look() {
        if (!lead.isLed(name)) {
            return Future.succeededFuture();
        }
        Map<String, ServerInfo> infos = new TreeMap<>();
        List<Future<?>> answers = new ArrayList<>();
        for (String node : redis.nodes()) {
            answers.add(redis.sendTo(node, Command.routed("INFO", null, "memory"))
                    .onSuccess(info -> infos.put(node, ServerInfo.of(info.asString())))
                    .onFailure(RedisWatch::missed));
        }
        answers.add(backups.read().onSuccess(gauges::setBackup).onFailure(RedisWatch::missed));
        return Future.join(answers).transform(done -> Future.succeededFuture()).map(done -> {
            gauges.setMemory(infos);
            return null;
        });
    }

    private static void missed(Throwable cause) {
        LOG.debug("figures of redis not read cause={}", RetryPolicy.describe(cause));
    }
}
