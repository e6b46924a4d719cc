package io.fanfare.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.TestCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Failures as the system and the libraries really throw them, and the sentences that people read. */
@Timeout(60)
class ReasonTest {
    private static final Vertx vertx = Vertx.vertx();

    @TempDir
    Path dir;

    /** Does something that fails. */
    @FunctionalInterface
    private interface Attempt {
        void run() throws Exception;
    }

    @AfterAll
    static void close() throws Exception {
        Void unused = vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void filesAndFoldersAreNamedWithWhatIsWrong() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "text");
        Path folder = Files.createDirectories(dir.resolve("folder/within"));
        Path none = dir.resolve("none");
        assertThat(reason(() -> Files.readAllBytes(none))).isEqualTo(none + ": there is no such file or folder");
        assertThat(reason(() -> Files.createFile(file))).isEqualTo(file + ": it exists already");
        assertThat(reason(() -> Files.delete(folder.getParent())))
                .isEqualTo(folder.getParent() + ": the folder is not empty");
        assertThat(reason(() -> Files.createDirectory(file.resolve("below"))))
                .isEqualTo(file.resolve("below") + ": not a directory");
        assertThat(reason(() -> Files.readAllBytes(folder))).isEqualTo("Is a directory");
        assertThat(reason(() -> new FileInputStream(none.toFile()).close()))
                .startsWith("there is no such file, or this user has no right to it (" + none);
        assertThat(reason(() -> vertx.fileSystem().readFileBlocking(none.toString())))
                .isEqualTo(none + ": there is no such file or folder");
        assertThat(Reason.of(new AccessDeniedException("/etc/shadow")))
                .isEqualTo("/etc/shadow: this user has no right to it");
        assertThat(Reason.of(new FileSystemException("/data/x", null, "No space left on device")))
                .isEqualTo("/data/x: no space left on device");
        assertThat(Reason.of(new UncheckedIOException(new AccessDeniedException("/x"))))
                .isEqualTo("/x: this user has no right to it");
        assertThat(Reason.of(new IOException((String) null))).isEqualTo("reading or writing failed");
        assertThat(Reason.of(new FileNotFoundException())).startsWith("there is no such file");
    }

    @Test
    void hostsPortsAndTimesAreNamedByEachClient() throws Exception {
        int port = FreePort.find();
        assertThat(reason(() -> new Socket(InetAddress.getLoopbackAddress(), port).close()))
                .isEqualTo("the connection was refused");
        assertThat(reason(() -> get("http://127.0.0.1:" + port))).isEqualTo("the connection was refused");
        assertThat(reason(() -> connect(new NetClientOptions(), port))).isEqualTo("the connection was refused");
        assertThat(reason(() -> get("http://nohost.invalid"))).isEqualTo("the host name has no address");
        assertThat(reason(() -> InetAddress.getAllByName("nohost.invalid")))
                .startsWith("the host name has no address (nohost.invalid");
        assertThat(Reason.of(new UnknownHostException())).isEqualTo("the host name has no address");
        assertThat(Reason.of(new HttpConnectTimeoutException("HTTP connect timed out")))
                .isEqualTo("no answer came in time");
        assertThat(Reason.of(new ConnectException("connection timed out: /10.0.0.1:80")))
                .isEqualTo("no answer came in time");
        assertThat(Reason.of(new ExecutionException(new TimeoutException()))).isEqualTo("no answer came in time");
        assertThat(Reason.of(new CompletionException(new ClosedChannelException())))
                .isEqualTo("the connection was closed");
        assertThat(Reason.of(new IOException("Connection reset by peer"))).isEqualTo("the connection was closed");
    }

    @Test
    void theFaultOfATlsConnectionIsNamed() throws Exception {
        TestCertificate certificate = TestCertificate.in(dir);
        NetServer plain = listen(new NetServerOptions());
        NetServer secret = listen(new NetServerOptions()
                .setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(certificate.certificate().toString())
                        .setKeyPath(certificate.key().toString())));
        String untrusted = "no authority that this machine trusts has signed the certificate";
        assertThat(reason(() -> get("https://localhost:" + secret.actualPort())))
                .isEqualTo(untrusted);
        assertThat(reason(() -> connect(
                        new NetClientOptions().setSsl(true).setHostnameVerificationAlgorithm("HTTPS"),
                        secret.actualPort())))
                .isEqualTo(untrusted);
        assertThat(reason(() -> get("https://localhost:" + plain.actualPort())))
                .isEqualTo("the other side does not speak TLS");
    }

    @Test
    void namesOfClassesLeaveMessagesAndAMistakeOfOursIsCalledOne() {
        assertThat(Reason.of(new IllegalStateException("java.io.IOException: the pipe is broken")))
                .isEqualTo("the pipe is broken");
        assertThat(Reason.of(new IllegalStateException(new IOException("the pipe is broken"))))
                .isEqualTo("the pipe is broken");
        assertThat(Reason.of(new NullPointerException("Cannot invoke \"io.fanfare.X.y()\"")))
                .isEqualTo("a mistake in Fanfare (NullPointerException)");
        assertThat(Reason.of(new OutOfMemoryError("Java heap space"))).isEqualTo("there is not enough memory");
        assertThat(Reason.of(new IllegalStateException("the data set has 16 shards")))
                .isEqualTo("the data set has 16 shards");
        assertThat(List.of(
                        Reason.kind(new IllegalStateException("what somebody wrote")),
                        Reason.kind(new IOException("what somebody wrote")),
                        Reason.kind(new UnknownHostException("what.somebody.wrote"))))
                .noneMatch(sentence -> sentence.contains("somebody"));
    }

    /** A failure that points to itself, or whose causes go on without end, is described all the same. */
    @Test
    void chainsOfCausesHaveABound() {
        Throwable endless = new CompletionException("it goes round", null) {
            @Override
            public synchronized Throwable getCause() {
                return this;
            }
        };
        assertThat(Reason.of(endless)).isEqualTo("it goes round");
    }

    private static String reason(Attempt attempt) {
        Throwable failure = catchThrowable(attempt::run);
        if (failure == null) {
            fail("nothing has failed");
        }
        String reason = Reason.of(failure);
        assertThat(reason)
                .as(String.valueOf(failure))
                .doesNotContainPattern("[A-Z]\\w+(Exception|Error)\\b")
                .doesNotContainPattern("\\b(java|javax|sun|io|org)\\.\\w+\\.");
        return reason;
    }

    private static void get(String url) throws IOException, InterruptedException {
        HttpResponse<Void> unused = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.discarding());
    }

    private static NetServer listen(NetServerOptions options) throws Exception {
        return vertx.createNetServer(options)
                .connectHandler(socket -> socket.handler(bytes -> {
                            var unused = socket.write(Buffer.buffer("HTTP/1.1 400 Bad Request\r\n\r\n"));
                        })
                        .exceptionHandler(refused -> {}))
                .listen(0, "localhost")
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    private static void connect(NetClientOptions options, int port) throws Exception {
        var unused = vertx.createNetClient(options)
                .connect(port, "localhost")
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }
}
