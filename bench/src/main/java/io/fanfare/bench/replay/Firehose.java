package io.fanfare.bench.replay;

import io.fanfare.client.Fanfare;
import io.fanfare.client.error.FanfareException;
import io.fanfare.client.stream.Batch;
import io.fanfare.client.stream.EventStream;
import io.fanfare.client.stream.StreamEvent;
import io.fanfare.common.event.EventId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Holds the firehose during the run by the Java client, which connects again and resumes. Notes when each status came,
 * and whatever a stream must not do: repeat, jump over a gap, refuse to resume. One event loop; a thread of its own
 * waits for the events. {@link #arrivedNanos} is for any thread.
 */
public final class Firehose {
    private final Vertx vertx;
    private final Fanfare client;
    private final LongSupplier nanos;
    private final Differences differences = new Differences();
    private final Map<Long, Long> arrivals = new ConcurrentHashMap<>();
    private final Map<Long, Long> authors = new HashMap<>();
    private final Promise<Void> listening = Promise.promise();

    private EventStream stream;
    private String epoch = "";
    private long lastEventNanos;
    private long events;
    private final List<Gap> gaps = new ArrayList<>();
    private long hellos;

    public Firehose(Vertx vertx, Supplier<URI> base, String token, LongSupplier nanos) {
        this.vertx = vertx;
        this.client =
                Fanfare.at(() -> List.of(base.get().toString())).token(token).build();
        this.nanos = nanos;
    }

    /**
     * Completes when the server has said hello: whatever is posted from then on must come. Fails when the first
     * connection does.
     */
    public Future<Void> listen() {
        Context loop = vertx.getOrCreateContext();
        stream = client.firehose()
                .onReconnect(why -> loop.runOnContext(unused -> {
                    if (stream.connections() == 0) {
                        failed("the firehose did not open: " + why);
                    }
                }))
                .open();
        Thread consumer = new Thread(() -> consume(loop), "replay-firehose");
        consumer.setDaemon(true);
        consumer.start();
        return listening.future();
    }

    /** When the status first came; 0 when it did not. */
    public long arrivedNanos(long status) {
        return arrivals.getOrDefault(status, 0L);
    }

    /** The author's account id of every status that came. */
    Map<Long, Long> authors() {
        return authors;
    }

    /** Faults of the stream itself. */
    Differences differences() {
        Differences all = new Differences();
        all.addAll(differences);
        if (stream != null && stream.repeats() > 0) {
            all.add("the stream sent " + stream.repeats() + " events again, or went back");
        }
        return all;
    }

    long events() {
        return events;
    }

    /** When anything last came. */
    long lastEventNanos() {
        return lastEventNanos;
    }

    /**
     * A gap that the stream reported.
     *
     * @param fromNanos when the event before it came, 0 = none before
     * @param toNanos when the gap itself came
     */
    public record Gap(long fromNanos, long toNanos) {}

    /** In the order of their arrival. */
    public List<Gap> gaps() {
        return List.copyOf(gaps);
    }

    public long reconnects() {
        return Math.max(0, hellos - 1);
    }

    /** Waits for the threads outside of the event loop. */
    public Future<Void> close() {
        return stream == null
                ? Future.succeededFuture()
                : vertx.executeBlocking(() -> {
                    stream.close();
                    return null;
                });
    }

    private void consume(Context loop) {
        try {
            for (Batch batch : stream) {
                long arrived = nanos.getAsLong();
                loop.runOnContext(unused -> batch.events().forEach(event -> event(event, arrived)));
            }
        } catch (FanfareException e) {
            loop.runOnContext(unused -> {
                failed("the firehose did not open: " + e.getMessage());
                differences.add("the stream ended: " + e.getMessage());
            });
        }
    }

    private void failed(String why) {
        boolean unused = listening.tryFail(why);
    }

    private void event(StreamEvent event, long arrived) {
        if (event instanceof StreamEvent.Hello hello) {
            hello(hello);
        } else if (event instanceof StreamEvent.Gap) {
            gaps.add(new Gap(lastEventNanos, arrived));
            differences.add("the stream reported a gap: " + event.json());
        } else if (!event.id().isEmpty()) {
            logged(event, arrived);
        }
    }

    private void hello(StreamEvent.Hello hello) {
        if (hellos++ == 0) {
            epoch = hello.epoch();
            boolean unused = listening.tryComplete();
        } else if (!hello.resumed()) {
            differences.add("the stream did not resume: " + hello.json());
        }
    }

    private void logged(StreamEvent event, long arrived) {
        events++;
        lastEventNanos = arrived;
        EventId place = EventId.parse(event.id()).filter(EventId::hasEpoch).orElse(null);
        if (place == null) {
            differences.add("the stream sent a " + event.name() + " with id '" + event.id() + "'");
            return;
        }
        if (!place.epoch().equals(epoch)) {
            differences.add("the stream went from epoch " + epoch + " to " + place.epoch() + ": the log was lost");
            epoch = place.epoch();
        }
        if (event instanceof StreamEvent.Posted posted) {
            long id = Long.parseLong(posted.status().id());
            Long unused =
                    authors.put(id, Long.parseLong(posted.status().account().id()));
            if (arrivals.putIfAbsent(id, arrived) != null) {
                differences.add("the stream sent status " + id + " twice");
            }
        }
    }
}
