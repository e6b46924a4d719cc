package io.fanfare.bench.load;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Meta;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.queue.JobType;
import io.fanfare.redis.RedisLink;
import io.fanfare.worker.WorkerVerticle;
import io.fanfare.worker.handler.RepairHandler;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * A worker process of {@code bench queue}: the worker as {@code fanfare worker} runs it, with handlers of {@link #TYPE}
 * that do nothing. Settings come from the environment. Commands, a line each: {@code start}, {@code stop} (drains as at
 * a shutdown), {@code settled} (how many jobs ended so far), {@code waited} (microseconds from when they were due to
 * the start of the handler, of the jobs since the last time that say when).
 */
public final class QueueWorker {
    /** The jobs that it runs: the object of a job is when it was due, see {@link #micros}, or {@link #UNTIMED}. */
    public static final JobType TYPE = JobType.MUTE;

    public static final long UNTIMED = 1;

    /** The answer to a command that answers nothing. */
    public static final String DONE = "done";

    private final Vertx vertx;
    private final Settings settings;
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Queue<Long> waited = new ConcurrentLinkedQueue<>();
    private String deployed;

    private QueueWorker(Vertx vertx, Settings settings) {
        this.vertx = vertx;
        this.settings = settings;
    }

    /** Started by {@link ServerProcess}. */
    public static void main(String[] args) throws IOException {
        Settings settings =
                SettingsLoader.load(List.of(SettingsLayer.defaults(), SettingsLayer.environment(System.getenv())));
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(settings.worker().loops())
                .setPreferNativeTransport(true));
        QueueWorker worker = new QueueWorker(vertx, settings);
        ServerProcess.serve(Future.succeededFuture("fanfare"), worker::answer);
    }

    /** Microseconds of elapsed time that all processes of this machine share. */
    public static long micros() {
        return System.nanoTime() / 1000;
    }

    private String answer(String command) {
        return switch (command) {
            case "start" -> {
                deployed = join(start());
                yield DONE;
            }
            case "stop" -> join(vertx.undeploy(deployed).map(DONE));
            case "settled" ->
                Long.toString((long) metrics.find("fanfare.jobs.executed").counters().stream()
                        .mapToDouble(Counter::count)
                        .sum());
            case "waited" -> {
                List<Long> all = new ArrayList<>();
                for (Long one = waited.poll(); one != null; one = waited.poll()) {
                    all.add(one);
                }
                yield all.stream().map(String::valueOf).collect(Collectors.joining(" "));
            }
            default -> throw new IllegalArgumentException("no such command: " + command);
        };
    }

    private Future<String> start() {
        RepairHandler noop = new RepairHandler((actor, due, edge) -> {
            if (due != UNTIMED) {
                waited.add(micros() - due);
            }
            return Future.succeededFuture();
        });
        return RedisLink.open(vertx, settings.redis().options())
                .compose(link -> new Meta(link, new SecureRandom())
                        .join(settings.redis().shards())
                        .eventually(link::close))
                .compose(shards -> vertx.deployVerticle(
                        () -> new WorkerVerticle(
                                settings,
                                shards,
                                metrics,
                                InstantSource.system(),
                                System::nanoTime,
                                new SecureRandom(),
                                Archive.none(),
                                Promise.<Void>promise().future(),
                                null,
                                DiskReserve.none(),
                                Map.of(TYPE, noop)),
                        new DeploymentOptions().setInstances(settings.worker().loops())));
    }

    private static <T> T join(Future<T> step) {
        return step.toCompletionStage().toCompletableFuture().join();
    }
}
