package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fanfare.api.ApiServer.User;
import io.fanfare.media.PassingMediaStore;
import io.fanfare.media.TestPictures;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads that trickle, over sockets. */
class UploadSpeedTest {
    private static final int LONG = 8 << 20;

    @TempDir
    Path folder;

    private final List<Sender> senders = new ArrayList<>();
    private ApiServer api;

    /** Folder of the files; null = the folder of a service. */
    private volatile Path stuck;

    @AfterEach
    void stop() throws IOException {
        for (Sender sender : senders) {
            sender.socket.close();
        }
        api.close();
    }

    private void serve(String... assignments) {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        List<String> all = new ArrayList<>(List.of(assignments));
        all.add("media.directory=" + folder);
        api = new ApiServer(
                redis,
                store -> new PassingMediaStore(store) {
                    @Override
                    public Path draft() {
                        return stuck == null ? super.draft() : stuck;
                    }
                },
                all.toArray(String[]::new));
    }

    /** A short file has come before the disk is waited for; a long one waits in its middle. */
    @ParameterizedTest
    @ValueSource(ints = {12_000, LONG})
    void anUploadIsAnsweredInTimeWhenTheDiskDoesNotTakeIt(int bytes) throws Exception {
        serve("media.upload-timeout=1s", "media.video-timeout=1s");
        User ann = api.signUp("ann");
        Path pipe = pipe();
        stuck = pipe;
        Sender sender = new Sender(ann, bytes);
        sender.send(2 << 20);

        assertThat(sender.answer()).startsWith("HTTP/1.1 503").containsIgnoringCase("retry-after");
        stuck = null;
        assertThat(pipe).as("the disk has it still").exists();

        letGo(pipe);
        TestRedis.awaitUntil("the file is deleted", () -> Files.notExists(pipe));
    }

    /** A pipe: a write waits until a reader opens it. */
    private Path pipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assumeTrue(made.waitFor(30, TimeUnit.SECONDS) && made.exitValue() == 0, "there are no pipes here");
        return pipe;
    }

    private static void letGo(Path pipe) {
        Thread reader = new Thread(() -> {
            // Opened for both, it never waits for a writer, and the writers never for another reader.
            try (RandomAccessFile file = new RandomAccessFile(pipe.toFile(), "rw")) {
                byte[] bytes = new byte[64 << 10];
                while (file.read(bytes) >= 0) {
                    // Thrown away.
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    @Test
    void anUploadThatStallsReceivesTheReasonAndLeavesNothingBehind() throws IOException {
        serve("media.upload-speed-time=4s");
        Sender stalled = new Sender(api.signUp("ann"), LONG);
        stalled.send(5000);
        MediaFiles.await(folder, 1);

        String answer = stalled.answer();

        assertThat(answer)
                .startsWith("HTTP/1.1 408")
                .contains("The upload is too slow: less than 8192 bytes a second have come.")
                .containsIgnoringCase("connection: close");
        MediaFiles.await(folder, 0);
    }

    @Test
    void theSlowestUploadMakesRoomForAnAccountThatHasNone() throws IOException {
        serve(
                "media.uploads-at-once=4",
                "media.upload-speed-min=1024",
                "media.upload-speed-time=10s",
                "limits.enabled=false");
        List<User> users = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            users.add(api.signUp("user" + i));
        }
        User ann = users.remove(4);
        awaitPicture(ann);
        List<Sender> trickling = new ArrayList<>();
        for (User user : users) {
            trickling.add(new Sender(user, LONG));
        }
        byte[] picture = TestPictures.png(64, 64);

        TestRedis.awaitUntil("the upload is taken while the others go on", () -> {
            for (Sender sender : trickling) {
                // Enough for the ten seconds of one average.
                sender.send(12_000);
            }
            boolean taken = api.sendFile("POST", "/api/v2/media", ann.token(), "file", picture)
                            .status()
                    == 200;
            // The first one may come before all others have their places.
            return taken && trickling.stream().anyMatch(Sender::isAnswered);
        });

        List<String> answers = new ArrayList<>();
        for (Sender sender : trickling) {
            if (sender.isAnswered()) {
                answers.add(sender.answer());
            }
        }
        // While a picture is made, the others send nothing, and may be ended as too slow.
        assertThat(answers)
                .filteredOn(answer -> answer.contains("because it was the slowest"))
                .singleElement()
                .satisfies(answer ->
                        assertThat(answer).startsWith("HTTP/1.1 503").containsIgnoringCase("retry-after: 60"));
    }

    /** Longer than a connection may be idle, and than a request with a file may take without it. */
    @Test
    void aSlowUploadOfTheLeastSpeedIsReceivedToItsEnd() throws IOException {
        serve(
                "media.upload-speed-min=1024",
                "media.upload-speed-time=8s",
                "media.upload-timeout=6s",
                "http.request-timeout=3s",
                "http.idle-timeout=6s",
                "stream.heartbeat=1s");
        byte[] picture = TestPictures.withChunk(TestPictures.png(64, 64), "teSt", new byte[160_000]);
        User ann = api.signUp("ann");
        awaitPicture(ann);
        Sender slow = new Sender(ann, picture);
        long begun = System.nanoTime();
        while (slow.left() > 0 && !slow.isAnswered()) {
            slow.send(2000);
        }
        assertThat(System.nanoTime() - begun).as("a slow line").isGreaterThan(6_000_000_000L);
        assertThat(slow.answer()).startsWith("HTTP/1.1 200");
    }

    /** The process that makes pictures runs then, which on a busy machine takes seconds to start. */
    private void awaitPicture(User user) {
        TestRedis.awaitUntil(
                "a picture is made",
                () -> api.sendFile("POST", "/api/v2/media", user.token(), "file", TestPictures.png(8, 8))
                                .status()
                        == 200);
    }

    /** A request with a file, whose bytes are sent when the test says so. */
    private final class Sender {
        private final Socket socket;
        private final OutputStream out;
        private final byte[] bytes;
        private final StringBuilder answer = new StringBuilder();
        private int sent;
        private boolean over;

        Sender(User user, int bytes) throws IOException {
            this(user, new byte[bytes]);
        }

        Sender(User user, byte[] file) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), api.verticle.port());
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            senders.add(this);
            byte[] begin = ("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n"
                            // A block of eight kilobytes is decoded together.
                            + "X-Padding: " + "x".repeat(900) + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
            byte[] end = "\r\n--b--\r\n".getBytes(StandardCharsets.US_ASCII);
            bytes = new byte[file.length + end.length];
            System.arraycopy(file, 0, bytes, 0, file.length);
            System.arraycopy(end, 0, bytes, file.length, end.length);
            out.write(("POST /api/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + user.token()
                            + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "
                            + (begin.length + bytes.length) + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(begin);
            send(9000);
        }

        int left() {
            return bytes.length - sent;
        }

        void send(int count) {
            int now = Math.min(count, left());
            try {
                if (!over) {
                    out.write(bytes, sent, now);
                    sent += now;
                }
            } catch (IOException closed) {
                over = true;
            }
        }

        /** Looks for a tenth of a second. */
        boolean isAnswered() {
            try {
                socket.setSoTimeout(100);
                int next = over ? -1 : socket.getInputStream().read();
                over |= next < 0;
                if (next >= 0) {
                    answer.append((char) next);
                }
                return true;
            } catch (SocketTimeoutException notYet) {
                return false;
            } catch (IOException closed) {
                over = true;
                return true;
            }
        }

        String answer() throws IOException {
            socket.setSoTimeout(30_000);
            int next = socket.getInputStream().read();
            while (next >= 0) {
                answer.append((char) next);
                if (answer.indexOf("\r\n\r\n") > 0 && next == '}' && answer.indexOf("HTTP/1.1 200") < 0) {
                    break;
                }
                if (answer.indexOf("HTTP/1.1 200 OK\r\n") == 0) {
                    break;
                }
                next = socket.getInputStream().read();
            }
            return answer.toString();
        }
    }
}
