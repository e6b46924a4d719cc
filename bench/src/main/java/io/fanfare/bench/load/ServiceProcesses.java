package io.fanfare.bench.load;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * An API, a worker and a stream process on one Redis, each by itself so that its processor time is known. Streams need
 * no token. For the command's main thread.
 *
 * @param api a {@link HomeServer}
 * @param worker a {@link WorkerServer}
 * @param stream a {@link StreamServer}
 */
public record ServiceProcesses(ServerProcess api, ServerProcess worker, ServerProcess stream) implements AutoCloseable {
    /**
     * Starts them, and leaves nothing running when one of them fails.
     *
     * @param environment the settings, see {@code serverEnvironment} of the Redis
     */
    public static ServiceProcesses start(Map<String, String> environment) {
        Map<String, String> anonymous = new HashMap<>(environment);
        anonymous.put("FANFARE_STREAM_ANONYMOUS", "true");
        Deque<ServerProcess> started = new ArrayDeque<>();
        try {
            started.add(ServerProcess.start(HomeServer.class, environment));
            started.add(ServerProcess.start(WorkerServer.class, environment));
            started.add(ServerProcess.start(StreamServer.class, anonymous));
            return new ServiceProcesses(started.remove(), started.remove(), started.remove());
        } catch (RuntimeException e) {
            started.forEach(ServerProcess::close);
            throw e;
        }
    }

    /** On the loopback address, as the next one. */
    public int apiPort() {
        return Integer.parseInt(api.answer().split(" ", -1)[0]);
    }

    public int streamPort() {
        return Integer.parseInt(stream.answer());
    }

    @Override
    public void close() {
        stream.close();
        worker.close();
        api.close();
    }
}
