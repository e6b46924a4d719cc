package io.fanfare.app;

import io.fanfare.common.settings.Settings;
import io.fanfare.server.runtime.LocalUrl;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/**
 * Makes the public server's address concrete before anything starts: every event loop and every worker writes it into
 * absolute URLs.
 */
final class PublicAddress {
    // Below the ports that systems give to connections: one of those may be taken again before the server listens.
    private static final int FREE_FIRST = 15_000;
    private static final int FREE_END = 30_000;
    private static final int TRIES = 100;

    private PublicAddress() {}

    /**
     * Settings with a port that is a number and a public URL that is not empty.
     *
     * @param random draws the port where any free one will do
     */
    static Settings concrete(Settings settings, RandomGenerator random) {
        return concrete(settings, random, "");
    }

    /**
     * The same, where an empty public URL gets another host than the one that is listened on.
     *
     * @param host empty = that one
     */
    static Settings concrete(Settings settings, RandomGenerator random, String host) {
        return settings.with(concrete(settings.http(), random, host));
    }

    /** The address of the server for clients on this machine. */
    static String url(Settings.Http http) {
        return LocalUrl.of(http, http.port());
    }

    private static Settings.Http concrete(Settings.Http http, RandomGenerator random, String host) {
        if (http.lacksProxy()) {
            throw new StartFailed(
                    "http.public-url is " + http.publicUrl()
                            + ", and TLS is spoken by a proxy in front, but http.trusted-proxies names none, so that all visitors would share the limits of one:"
                            + " set it to the address that the proxy connects from, 127.0.0.1 for one on this machine, or to "
                            + Settings.Http.NO_PROXY
                            + " when what is in front cannot say for whom it forwards; or name http.tls.certificate and http.tls.key, and Fanfare speaks TLS itself");
        }
        int port = http.port() == 0 ? free(http.host(), random) : listenable(http.host(), http.port());
        Settings.Http listening = http.at(port, http.publicUrl());
        if (!http.publicUrl().isEmpty()) {
            return listening;
        }
        return http.at(port, host.isEmpty() ? url(listening) : "https://" + host + ":" + port);
    }

    /** Any. Chosen here rather than by Vert.x, since the URLs are given out before it listens. */
    private static int free(String host, RandomGenerator random) {
        for (int i = 1; i < TRIES; i++) {
            try {
                return listenable(host, random.nextInt(FREE_FIRST, FREE_END));
            } catch (StartFailed taken) {
                // Another one, then.
            }
        }
        return listenable(host, 0);
    }

    /** The port; 0 = what the system gives. Tried here, so that a taken port is told before Redis has been started. */
    private static int listenable(String host, int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(host))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw StartFailed.listening("http", host, port, e);
        }
    }
}
