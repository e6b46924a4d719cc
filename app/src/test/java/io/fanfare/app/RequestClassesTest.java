package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The hops of a request: the debugger's interface records the source files whose code a real request enters on its
 * event loop until the answer. Values ({@code model}, {@code id}), the link to Redis, and HTTP are not counted. The
 * numbers may only shrink.
 */
class RequestClassesTest {
    private static final Pattern LISTENING = Pattern.compile("Listening for transport dt_socket at address: (\\d+)");

    /** Packages that every request passes, and the programs that start the service. */
    private static final Pattern UNCOUNTED = Pattern.compile(
            "io\\.fanfare\\.(?:(?:redis|vertx|failure|secret|server)\\b.*|common\\.(?:model|id|keyspace|settings|auth)\\..*"
                    + "|api\\.(?:ApiRoutes|endpoint\\..*)|app\\..*)");

    /** A timer of every event loop, which may fire while a request runs. */
    private static final String TIMER = "io.fanfare.stream.session.Heartbeats";

    private static final int RECORDINGS = 3;

    @TempDir
    static Path dir;

    private static FanfareProcess server;
    private static VirtualMachine machine;
    private static Client ann;

    @BeforeAll
    static void start() throws Exception {
        server = FanfareProcess.withJavaOption(
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0",
                dir.resolve("data"),
                "up",
                "--port",
                "0");
        server.awaitOutput("Ctrl-C finishes what is under way");
        Matcher listening = LISTENING.matcher(server.output());
        assertThat(listening.find()).as(server.output()).isTrue();
        machine = attach(listening.group(1));
        ann = Client.signUp(url(), "ann");
    }

    @AfterAll
    static void stop() {
        machine.dispose();
        server.close();
    }

    private static VirtualMachine attach(String port) throws Exception {
        for (AttachingConnector connector : Bootstrap.virtualMachineManager().attachingConnectors()) {
            if (connector.transport().name().equals("dt_socket")) {
                Map<String, Connector.Argument> arguments = connector.defaultArguments();
                arguments.get("hostname").setValue("127.0.0.1");
                arguments.get("port").setValue(port);
                return connector.attach(arguments);
            }
        }
        throw new IllegalStateException("no connector for sockets");
    }

    private static String url() {
        return server.runtime().httpUrl();
    }

    private interface Call {
        Object run() throws Exception;
    }

    /** Source files that each of some requests enters on the event loop that enters {@code route}. */
    private static Set<String> filesOf(String route, Call call) throws Exception {
        assertThat(call.run()).as("fills the caches").isNotNull();
        Set<String> files = null;
        for (int i = 0; i < RECORDINGS; i++) {
            Set<String> recorded = record(route, call);
            if (files == null) {
                files = recorded;
            } else {
                files.retainAll(recorded);
            }
        }
        return files;
    }

    private static Set<String> record(String route, Call call) throws Exception {
        MethodEntryRequest entries = machine.eventRequestManager().createMethodEntryRequest();
        entries.addClassFilter("io.fanfare.*");
        entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        entries.enable();
        FutureTask<Object> answer = new FutureTask<>(() -> {
            try {
                return call.run();
            } finally {
                entries.disable();
            }
        });
        new Thread(answer, "caller").start();
        List<EventSet> sets = new ArrayList<>();
        // A server with many unread events waits, and does not answer.
        while (!answer.isDone()) {
            addNext(sets, 20);
        }
        assertThat(answer.get()).isNotNull();
        machine.eventRequestManager().deleteEventRequest(entries);
        int threads = machine.allThreads().size(); // Its reply comes after all events.
        assertThat(threads).isPositive();
        while (addNext(sets, 1)) {}
        Map<Long, Set<String>> byThread = new HashMap<>();
        for (EventSet set : sets) {
            for (Event event : set) {
                if (event instanceof MethodEntryEvent entry) {
                    String name = entry.method().declaringType().name().replaceFirst("\\$.*", "");
                    byThread.computeIfAbsent(entry.thread().uniqueID(), thread -> new TreeSet<>())
                            .add(name);
                }
            }
        }
        Set<String> files = new TreeSet<>();
        byThread.values().stream()
                .filter(names -> names.stream().anyMatch(name -> name.endsWith("." + route)))
                .forEach(files::addAll);
        files.removeIf(name -> UNCOUNTED.matcher(name).matches());
        files.remove(TIMER);
        assertThat(files).as("the event loop of %s", route).isNotEmpty();
        return files;
    }

    /** Whether there was one within so many milliseconds. */
    @CanIgnoreReturnValue
    private static boolean addNext(List<EventSet> sets, long millis) throws InterruptedException {
        EventSet next = machine.eventQueue().remove(millis);
        return next != null && sets.add(next);
    }

    @Test
    void aPostEntersNoMoreFilesThanWhenTheyWereCounted() throws Exception {
        expect(54, filesOf("StatusRoutes", () -> ann.post(url(), "hello")));
    }

    @Test
    void aPageOfAHomeEntersNoMoreFilesThanWhenTheyWereCounted() throws Exception {
        expect(38, filesOf("TimelineRoutes", () -> Client.get(url() + "/api/v1/timelines/home?limit=20", ann.token())));
    }

    @Test
    void openingAFilteredStreamEntersNoMoreFilesThanWhenTheyWereCounted() throws Exception {
        expect(55, filesOf("StreamRoutes", () -> open("/api/v1/streaming/filter?track=hello+world")));
    }

    /**
     * Checks the number of files. An event that comes to the stream server on the same event loop may add one to all
     * recordings of a post or a stream: their limits have room for it.
     *
     * @param most lower it when a request takes fewer hops
     */
    private static void expect(int most, Set<String> files) {
        assertThat(files.size())
                .as("%d files: %s", files.size(), files)
                .isPositive()
                .isLessThanOrEqualTo(most);
    }

    /** Opens a stream, waits for the head of its answer, and closes it. */
    private static Integer open(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                .header("Authorization", "Bearer " + ann.token())
                .build();
        HttpResponse<InputStream> answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        answer.body().close();
        return answer.statusCode();
    }
}
