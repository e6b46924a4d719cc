package io.fanfare.worker;

import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.ShardProbe;
import io.fanfare.vertx.Ticks;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs whose wake-up was lost: one event loop of a process looks about once per {@code queue.poll}, and passes
 * its findings to the others. One event loop.
 */
final class Poller {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

    private final Vertx vertx;
    private final ShardProbe waiting;
    private final Settings.Queue settings;
    private final LeadLoop lead;
    private final String name;
    private boolean stopped;

    /** @param name of the worker that it belongs to */
    Poller(Vertx vertx, JobQueue queue, Settings.Queue settings, LeadLoop lead, String name) {
        this.vertx = vertx;
        this.waiting = queue.waiting();
        this.settings = settings;
        this.lead = lead;
        this.name = name;
    }

    /** Must be called on the event loop of the worker, which receives every shard that is found. */
    void start(Worker worker) {
        Context context = vertx.getOrCreateContext();
        lead.join(name, shards -> {
            List<Integer> copy = List.copyOf(shards);
            context.runOnContext(v -> worker.found(copy));
        });
        lookAgain();
    }

    void stop() {
        stopped = true;
        lead.leave(name);
    }

    private void look() {
        if (stopped) {
            return;
        }
        if (!lead.isLed(name, LeadLoop.silenceNanos(settings))) {
            lookAgain();
            return;
        }
        waiting.look(Set.of())
                .onSuccess(found -> {
                    lead.answered(name);
                    lead.found(found);
                })
                .onFailure(cause -> LOG.debug("look for jobs failed cause={}", RetryPolicy.describe(cause)))
                .onComplete(done -> lookAgain());
    }

    private void lookAgain() {
        Ticks.next(vertx, settings.poll().toMillis(), this::look);
    }
}
