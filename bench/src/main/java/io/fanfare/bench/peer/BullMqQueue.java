package io.fanfare.bench.peer;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.report.BenchFailed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * BullMQ, a queue for Node on Redis, in the processes of {@code peer.mjs}: workers with many jobs under way each, which
 * is how it keeps Redis busy, locks and the check for stalled jobs as by default, which make it at-least-once, finished
 * jobs removed at once; and a producer that adds in bulk.
 */
public final class BullMqQueue extends QueuePeer {
    private static final String SCRIPT = "peer.mjs";

    private final ServerProcess producer;

    private BullMqQueue(List<ServerProcess> workers, ServerProcess producer) {
        super(workers);
        this.producer = producer;
    }

    /**
     * Starts its processes with the {@code node} of the PATH; no worker works yet.
     *
     * @param folder with {@value #SCRIPT} and its packages
     * @param concurrency jobs that a worker has under way at most
     * @param bulk jobs of one call of {@code addBulk}
     */
    public static BullMqQueue start(BenchRedis redis, Path folder, int processes, int concurrency, int bulk) {
        if (!Files.isDirectory(folder.resolve("node_modules/bullmq"))) {
            throw new BenchFailed("there is no BullMQ in " + folder + ": run npm ci --prefix " + folder);
        }
        Map<String, String> environment = Map.of(
                "REDIS_URL",
                redis.settings().redis().url().reveal(),
                "BULLMQ_CONCURRENCY",
                Integer.toString(concurrency),
                "BULLMQ_BULK",
                Integer.toString(bulk),
                "NODE_ENV",
                "production");
        return new BullMqQueue(
                IntStream.range(0, processes)
                        .mapToObj(i -> start(folder, "worker", environment))
                        .toList(),
                start(folder, "producer", environment));
    }

    private static ServerProcess start(Path folder, String role, Map<String, String> environment) {
        ProcessBuilder program =
                new ProcessBuilder("node", folder.resolve(SCRIPT).toString(), role);
        program.environment().putAll(environment);
        return ServerProcess.start("BullMQ's " + role, program);
    }

    @Override
    public String name() {
        return "BullMQ " + producer.answer();
    }

    @Override
    public void hold() {
        send(producer, "hold");
    }

    @Override
    public void resume() {
        send(producer, "resume");
    }

    @Override
    public void add(int jobs) {
        send(producer, "add " + jobs);
    }

    @Override
    public void pace(int jobs, double perSecond) {
        send(producer, "pace " + jobs + " " + perSecond);
    }

    @Override
    public double producerCpuSeconds() {
        return producer.cpuSeconds();
    }

    @Override
    public void close() {
        producer.close();
        super.close();
    }
}
