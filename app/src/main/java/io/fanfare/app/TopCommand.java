package io.fanfare.app;

import io.fanfare.app.operate.RedisReport;
import io.fanfare.app.operate.TopReport;
import io.fanfare.app.operate.TopReport.Look;
import io.fanfare.app.operate.WorkersReport;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.redis.RedisError;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.Signals;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare top}: the state of a running service in a terminal, again and again. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description = "Shows queue, workers, streams and Redis of a running service, every few seconds, until Ctrl-C.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:ended by a signal, or nobody reads it",
            "1:Redis cannot be reached",
            "2:the arguments are wrong"
        })
final class TopCommand implements Callable<Integer> {
    private static final int SECONDS_MAX = 60;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SettingsOptions options;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "Seconds between two looks, 1 to 60. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--once", description = "Looks twice, a second apart, prints once, and ends.")
    private boolean once;

    @Override
    public Integer call() throws InterruptedException {
        Logging.ofCommand();
        if (seconds < 1 || seconds > SECONDS_MAX) {
            throw new ParameterException(spec.commandLine(), "--every must be 1 to " + SECONDS_MAX);
        }
        Settings settings = options.joining();
        CountDownLatch stop = new CountDownLatch(1);
        Signals.on("INT", stop::countDown);
        Signals.on("TERM", stop::countDown);
        try (RemoteStores.Session session = RemoteStores.open(settings)) {
            TopReport report = new TopReport(seconds);
            if (once) {
                report.add(look(session));
                if (!stop.await(1, TimeUnit.SECONDS)) {
                    report.add(look(session));
                    System.out.println(report.text());
                }
                return 0;
            }
            Supplier<String> block = () -> {
                try {
                    report.add(look(session));
                    return report.text();
                } catch (RedisError e) {
                    // It may be back at the next look.
                    return report.failed(System.currentTimeMillis(), e.getMessage());
                }
            };
            Watch.repeat(block, System.out, Watch.forPeople(), () -> stop.await(seconds, TimeUnit.SECONDS));
        }
        return 0;
    }

    private Look look(RemoteStores.Session session) {
        return new Look(
                System.nanoTime(),
                System.currentTimeMillis(),
                session.ask(JobQueue::stats),
                session.ask(queue -> queue.batchesInFlight().list(WorkersReport.BATCHES_MAX)),
                session.askRedis(RedisReport::nodes),
                streams());
    }

    /**
     * Reads the stream totals of the service on {@code --data}; empty if no service runs, or if it serves no streams.
     */
    private Optional<JsonObject> streams() {
        try {
            return RuntimeFile.read(options.data()).map(file -> ManagementServer.get(file, "/streams?limit=1"));
        } catch (StartFailed e) {
            return Optional.empty();
        }
    }
}
