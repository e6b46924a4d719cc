package io.fanfare.redis.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.secret.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The redis-server that {@code up} starts, seen by another process of the machine that knows the port and not the
 * password.
 */
class RedisAccessTest {
    @TempDir
    static Path dir;

    private static RedisProcess server;

    @BeforeAll
    static void start() {
        server = RedisProcess.start(
                RedisProcess.Options.in(dir).password(new Secret("0123456789abcdef0123456789abcdef")));
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PING",
                "GET secret",
                "SCAN 0",
                "INFO",
                "CONFIG GET requirepass",
                "EVAL return(1) 0",
                "SUBSCRIBE x",
                "MULTI",
                "ACL LIST",
                "FLUSHALL",
                "REPLICAOF 127.0.0.1 1",
                "SHUTDOWN NOSAVE"
            })
    void withoutThePasswordNothingIsAnswered(String command) throws IOException {
        assertThat(ask(command)).startsWith("-NOAUTH");
        assertThat(server.ask("PING").asString()).isEqualTo("PONG");
    }

    @Test
    void aGuessedPasswordIsRefused() throws IOException {
        assertThat(ask("AUTH guess")).startsWith("-WRONGPASS");
        assertThat(ask("AUTH fanfare guess")).startsWith("-WRONGPASS");
        assertThat(ask("HELLO 3")).startsWith("-NOAUTH");
    }

    @Test
    void onlyTheMachineItselfReachesIt() throws IOException {
        assertThat(server.ask("CONFIG", "GET", "bind").items().get(1).asString())
                .isEqualTo("127.0.0.1 -::1");
        assertThat(server.ask("CONFIG", "GET", "protected-mode").items().get(1).asString())
                .isEqualTo("yes");
    }

    /** The first line of the answer. */
    private static String ask(String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }
}
