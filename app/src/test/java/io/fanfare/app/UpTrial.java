package io.fanfare.app;

import io.fanfare.server.runtime.RuntimeFile;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * An {@code up} that serves what most tests ask for, and ends: the classes that this takes are archived for the
 * processes of tests ({@link io.fanfare.common.testing.SharedClasses}).
 */
final class UpTrial {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private UpTrial() {}

    /** The only argument is the data folder. */
    public static void main(String[] arguments) throws Exception {
        Thread up = new Thread(() -> Main.main(new String[] {"up", "--port", "0", "--data", arguments[0]}));
        up.setDaemon(true);
        up.start();
        Path data = Path.of(arguments[0]);
        Awaitility.await().atMost(PATIENCE).until(() -> RuntimeFile.read(data).isPresent());
        String url = RuntimeFile.read(data).orElseThrow().httpUrl();
        Client ann = Client.signUp(url, "ann");
        Client bob = Client.signUp(url, "bob");
        String unused = ann.publish(url, "A title", "https://example.org/");
        String post = bob.post(url, "hello");
        ann.tryToDelete(url, post);
        int status = Client.get(url + "/api/v1/timelines/home", bob.token()).statusCode();
        System.exit(status == 200 ? 0 : 1);
    }
}
