package io.fanfare.server.runtime;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.Release;
import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.vertx.VertxInternals;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process from its start to its end. It
 *
 * <ol>
 *   <li>makes Vert.x and the metrics, and listens for SIGTERM and Ctrl-C;
 *   <li>opens the {@link Management} server: live, not ready;
 *   <li>joins the data set: waits for Redis, checks the shard count and the signing key;
 *   <li>deploys its parts; when all of them work it is ready. Until then a {@link StartDeadline} limits the start, from
 *       then on a {@link LoopWatchdog} and Vert.x watch its event loops;
 *   <li>waits for a signal, or for {@link #end(int)};
 *   <li>drains: not ready, every part stops, together at most the longer of {@code worker.drain-timeout} and
 *       {@code stream.drain-timeout}, and 5 s. At a second signal workers put back what they have, and whatever has not
 *       stopped 5 s later is cut off; a third one ends the process at once;
 *   <li>closes Vert.x and answers the exit status.
 * </ol>
 *
 * For a main thread: {@link #run} blocks. One run per service.
 */
public final class Service {
    /** Names come from users, too: of push services. The name server sets their lifetime, without a bound. */
    private static final int NAMES_KEPT_SECONDS = 60;

    private static final Logger log = LoggerFactory.getLogger(Service.class);

    /** For what follows the workers' own time-out, or the second signal: settling, releasing, closing. */
    private static final Duration CLOSING_MAX = Duration.ofSeconds(5);

    /** Signals as close as this are one. */
    private static final Duration SAME_SIGNAL = Duration.ofSeconds(1);

    /** The exit status that a shell reports for a process ended by Ctrl-C. */
    private static final int ENDED_BY_SIGNAL = 130;

    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Vertx vertx;
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private final Promise<Void> shutdownNow = Promise.promise();
    private final DirectMemoryWatch memory = DirectMemoryWatch.start();
    private final LoopWatchdog.Starter watchdogs;
    private final Duration closingMax;
    // Written by the main thread, read by the management server's.
    private volatile Health health = Health.STARTING;
    // Written by an event loop, read by the main thread: ends when each part has started or failed.
    private volatile Future<?> partStarts = Future.succeededFuture();
    // Each signal has a thread of its own.
    private volatile long signalledNanos;
    private volatile boolean drained;

    /** @param eventLoops as many as the parts have instances */
    public Service(int eventLoops) {
        this(eventLoops, LoopWatchdog::start, CLOSING_MAX);
    }

    /**
     * @param watchdogs starts the one that watches the event loops once the service is ready
     * @param closingMax how long each step of the end may take beyond the drains of the settings
     */
    Service(int eventLoops, LoopWatchdog.Starter watchdogs, Duration closingMax) {
        this.watchdogs = watchdogs;
        this.closingMax = closingMax;
        this.vertx = Vertx.builder().with(options(eventLoops)).build();
        // A start loads thousands of classes on the event loops; that it takes too long is for the StartDeadline to
        // say.
        VertxInternals.whenThreadIsBlocked(vertx, () -> {});
        StartPhases.ended("vertx");
        Signals.on("TERM", this::signalled);
        Signals.on("INT", this::signalled);
    }

    /**
     * Starts everything, works until a shutdown is requested, drains, and returns the exit status. Fails with
     * {@link StartFailed} for faults that the operator can fix.
     *
     * @param composition what to run
     * @param whenReady receives the base URL of the management server, once everything works
     */
    public int run(
            Settings settings, Function<ServiceContext, List<Component>> composition, Consumer<String> whenReady) {
        return run(settings, composition, Optional.empty(), whenReady);
    }

    /**
     * The same with a site on the management server.
     *
     * @param site empty = none
     */
    public int run(
            Settings settings,
            Function<ServiceContext, List<Component>> composition,
            Optional<Function<ServiceContext, ManagementSite>> site,
            Consumer<String> whenReady) {
        return run(StartDeadline.begin(settings.management().startMax()), settings, composition, site, whenReady);
    }

    /**
     * The same within a start that has begun before.
     *
     * @param start is closed when the service is ready, or ends
     */
    public int run(
            StartDeadline start,
            Settings settings,
            Function<ServiceContext, List<Component>> composition,
            Optional<Function<ServiceContext, ManagementSite>> site,
            Consumer<String> whenReady) {
        Duration worker = settings.worker().drainTimeout();
        Duration stream = settings.stream().drainTimeout();
        Duration drainMax = (worker.compareTo(stream) > 0 ? worker : stream).plus(closingMax);
        Management management = new Management(settings, metrics, () -> health, InstantSource.system());
        // The management server waits for Redis, too.
        Future<?> started = stage(
                        start,
                        "opening the management server and connecting to Redis (redis.url)",
                        () -> vertx.deployVerticle(management).compose(id -> join(settings)))
                .compose(shared -> stage(start, "composing its parts", () -> compose(composition, shared))
                        .compose(parts -> deploy(start, parts, management))
                        .compose(deployed -> site.isPresent()
                                ? stage(start, "opening the console", () -> offLoop(site.get(), shared)
                                        .compose(management::serve))
                                : Future.succeededFuture()));
        LoopWatchdog watchdog = null;
        try {
            CompletableFuture.anyOf(started.toCompletionStage().toCompletableFuture(), end)
                    .join();
            if (!end.isDone()) {
                health = Health.READY;
                whenReady.accept(LocalUrl.of(settings.management().host(), management.port()));
                start.close();
                bindProcessMetrics();
                VertxInternals.logBlockedThreads(vertx);
                watchdog = watchdogs.start(vertx, settings.management().hangMax());
            }
            return end.join();
        } catch (CompletionException e) {
            throw sentence(e.getCause(), settings.http());
        } finally {
            start.close();
            health = Health.DRAINING;
            drain(started, management, drainMax);
            if (watchdog != null) {
                watchdog.close();
            }
            memory.close();
        }
    }

    /** Asks the process to drain and end with this status; the first call counts. For any thread. */
    public void end(int status) {
        end.complete(status);
    }

    private static VertxOptions options(int eventLoops) {
        return new VertxOptions()
                .setAddressResolverOptions(new AddressResolverOptions().setCacheMaxTimeToLive(NAMES_KEPT_SECONDS))
                .setPreferNativeTransport(true)
                // One more for the management server.
                .setEventLoopPoolSize(eventLoops + 1)
                // Nothing is served from files, so no cache folder is needed.
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false));
    }

    /** One signal may arrive twice: where it goes to the whole group, from the script as well. */
    private void signalled() {
        long now = System.nanoTime();
        if (!end.isDone()) {
            signalledNanos = now;
        }
        if (end.complete(0)) {
            log.info("draining");
        } else if (now - signalledNanos > SAME_SIGNAL.toNanos()) {
            signalledNanos = now;
            // After the drain nothing is left to put back; the process may still wait for its redis-server.
            if (drained || !shutdownNow()) {
                System.exit(ENDED_BY_SIGNAL);
            }
        }
    }

    /** Ends a drain early, see {@link Service}; false when that was requested before. For any thread. */
    boolean shutdownNow() {
        boolean first = shutdownNow.tryComplete();
        if (first) {
            log.info("ending at once, jobs that are not done go back");
        }
        return first;
    }

    private Future<ServiceContext> join(Settings settings) {
        return RedisStart.waitFor(vertx, end::isDone, () -> joinOnce(settings));
    }

    private Future<ServiceContext> joinOnce(Settings settings) {
        return RedisLink.open(vertx, settings.redis().options()).compose(redis -> {
            SecureRandom random = new SecureRandom();
            Meta meta = new Meta(redis, random);
            return RightsProbe.run(redis, Long.toHexString(random.nextLong()))
                    .compose(granted -> meta.join(settings.redis().shards()))
                    .compose(shards -> meta.signingKeys(settings.auth()).compose(keys -> meta.vapid(settings.push())
                            .map(vapid -> new ServiceContext(
                                    vertx, settings, metrics, shards, keys, vapid, shutdownNow.future()))))
                    .eventually(redis::close);
        });
    }

    private static <T> Future<T> stage(StartDeadline start, String name, Supplier<Future<T>> step) {
        StartDeadline.Stage stage = start.enter(name);
        return step.get().onComplete(done -> stage.end());
    }

    /**
     * Composes the parts, and makes the keys of Web Push beside them on another worker thread: their library is slow to
     * load, and no event loop is to wait for it.
     */
    private Future<List<Component>> compose(
            Function<ServiceContext, List<Component>> composition, ServiceContext shared) {
        Future<?> pushKeys = shared.vapid() == null
                ? Future.succeededFuture()
                : vertx.executeBlocking(shared.vapid()::publicKey, /* ordered= */ false);
        Future<List<Component>> parts = offLoop(composition, shared);
        return Future.all(pushKeys, parts).map(both -> parts.result());
    }

    /** On a worker thread: to compose loads classes, texts and languages. */
    private <T> Future<T> offLoop(Function<ServiceContext, T> step, ServiceContext shared) {
        return vertx.executeBlocking(() -> step.apply(shared));
    }

    private Future<?> deploy(StartDeadline start, List<Component> parts, Management management) {
        management.show(parts);
        if (end.isDone()) {
            return Future.failedFuture("the service ends before its parts have started");
        }
        List<Future<Void>> deploying = parts.stream()
                .map(part -> stage(
                        start, "starting " + part.name(), () -> deploy(part).<Void>mapEmpty()))
                .toList();
        partStarts = Future.join(deploying);
        return Future.all(deploying);
    }

    /** The first instance loads the classes, and does not share its processor time with others that do the same. */
    private Future<?> deploy(Component component) {
        int others = component.instances() - 1;
        return deploy(component, 1)
                .compose(first -> others == 0 ? Future.succeededFuture() : deploy(component, others));
    }

    private Future<String> deploy(Component component, int instances) {
        return vertx.deployVerticle(component.verticle(), new DeploymentOptions().setInstances(instances));
    }

    private void drain(Future<?> started, Management management, Duration drainMax) {
        // Vert.x does not stop a verticle that it undeploys during the start. The end of that start then throws an
        // IllegalStateException.
        await(started.transform(result -> partStarts.otherwiseEmpty()), closingMax);
        List<Future<Void>> stops = vertx.deploymentIDs().stream()
                .filter(id -> !id.equals(management.deploymentID()))
                .map(vertx::undeploy)
                .toList();
        Future<?> ended = Future.join(stops).onFailure(e -> log.warn("not drained cleanly cause={}", Reason.of(e)));
        Future<?> late = shutdownNow.future().compose(v -> vertx.timer(closingMax.toMillis(), TimeUnit.MILLISECONDS));
        await(Future.any(ended.otherwiseEmpty(), late), drainMax);
        drained = true;
        await(vertx.close(), closingMax);
        log.info("stopped");
    }

    /** Waits, whatever the result; what takes longer is ended with the process, and its jobs run elsewhere. */
    private static void await(Future<?> ending, Duration most) {
        try {
            Object result = ending.otherwiseEmpty()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(most.toMillis(), TimeUnit.MILLISECONDS);
            log.debug("ended result={}", result);
        } catch (TimeoutException | ExecutionException e) {
            log.warn("not ended within {} ms, going on", most.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** After the start, which they would only delay. */
    private void bindProcessMetrics() {
        Release release = Release.running();
        Gauge.builder("fanfare.build.info", () -> 1)
                .description("always 1; version and commit of the build are labels")
                .tag("version", release.version())
                .tag("commit", release.commit().map(Release.Commit::id).orElse(""))
                .register(metrics);
        new JvmMemoryMetrics().bindTo(metrics);
        new JvmThreadMetrics().bindTo(metrics);
        new ProcessorMetrics().bindTo(metrics);
        new FileDescriptorMetrics().bindTo(metrics);
        new UptimeMetrics().bindTo(metrics);
    }

    /**
     * Makes a sentence of the failures whose messages say what to do: Redis refuses something, has a wrong version, or
     * the data another shard count. Everything else is our mistake and keeps its stack trace.
     */
    private static RuntimeException sentence(Throwable cause, Settings.Http http) {
        if (cause instanceof IOException) {
            return StartFailed.listening("http", http.host(), http.port(), cause);
        }
        if (cause instanceof StartFailed failed) {
            return failed;
        }
        if (cause instanceof RedisError || cause instanceof IllegalStateException) {
            log.debug("cannot start", cause);
            return new StartFailed(cause.getMessage());
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }
}
