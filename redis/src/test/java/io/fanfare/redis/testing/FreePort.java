package io.fanfare.redis.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;

/** A port for servers that have to know it before they listen. */
public final class FreePort {
    // Below the ports that the kernel gives to connections, so that none takes it before the server does.
    private static final int FIRST = 15_000;
    private static final int END = 30_000;

    private static final Random RANDOM = new Random();

    private FreePort() {}

    /** A port that nothing listens on. */
    public static int find() {
        while (true) {
            int port = RANDOM.nextInt(FIRST, END);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Another one, then.
            }
        }
    }
}
