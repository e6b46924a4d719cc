package io.fanfare.common.http;

import static io.fanfare.common.testing.TestRedis.await;
import static io.fanfare.common.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DoorkeeperTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private final Vertx vertx = Vertx.vertx();
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        await(vertx.close());
    }

    @Test
    void oneTooManyIsToldSoAndClosed() throws IOException {
        int port = serve(/* countsOwn= */ true, "http.per-address-max=2", "stream.per-address-max=1");
        assertThat(ask(port)).startsWith("HTTP/1.1 200");
        assertThat(ask(port)).startsWith("HTTP/1.1 200");
        Socket third = connect(port);
        String refused = said(third, GET);
        assertThat(refused)
                .startsWith("HTTP/1.1 429")
                .containsIgnoringCase("retry-after: 30")
                .contains("There are too many connections from your address");
        assertThat(third.getInputStream().read()).as("closed").isEqualTo(-1);

        sockets.get(0).close();
        awaitUntil("there is room again", () -> ask(port).startsWith("HTTP/1.1 200"));
    }

    @Test
    void whoHasTwiceAsManyIsToldNothing() throws IOException {
        int port = serve(/* countsOwn= */ true, "http.per-address-max=2", "stream.per-address-max=1");
        for (int i = 0; i < 4; i++) {
            connect(port);
        }
        assertThat(connect(port).getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void theMachineItselfAndTrustedProxiesAreNotCounted() throws IOException {
        String[] two = {"http.per-address-max=2", "stream.per-address-max=1", "http.trusted-proxies="};
        int own = serve(/* countsOwn= */ false, two);
        two[2] += "127.0.0.0/8";
        int trusting = serve(/* countsOwn= */ true, two);
        for (int port : new int[] {own, trusting}) {
            for (int i = 0; i < 6; i++) {
                assertThat(ask(port)).startsWith("HTTP/1.1 200");
            }
        }
    }

    private int serve(boolean countsOwn, String... assignments) {
        Settings.Http settings = SettingsLoader.defaultsWith(assignments).http().at(0, "");
        Doorkeeper doors = new Doorkeeper(settings, countsOwn);
        Router router = Router.router(vertx);
        new FrontDoor(new Random(), doors).mount(router);
        router.get("/").handler(ctx -> ctx.end("welcome").onFailure(gone -> {}));
        HttpServer server = vertx.createHttpServer(FrontDoor.options(settings))
                .connectionHandler(doors::opened)
                .requestHandler(router);
        return await(server.listen()).actualPort();
    }

    private String ask(int port) {
        try {
            return said(connect(port), GET);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @CanIgnoreReturnValue
    private Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        sockets.add(socket);
        return socket;
    }

    /** Head and body, both of which are short. */
    private static String said(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder said = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            said.append((char) c);
            boolean whole = said.indexOf("\r\n\r\n") > 0 && (said.toString().endsWith("welcome") || c == '}');
            if (whole) {
                break;
            }
        }
        return said.toString();
    }
}
