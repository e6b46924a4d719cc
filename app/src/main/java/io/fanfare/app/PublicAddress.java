package io.fanfare.app;

import io.fanfare.common.runtime.StartFailed;
import io.fanfare.common.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Makes the public server's address concrete before anything starts: every event loop and every worker writes it into absolute URLs. */
final class PublicAddress {
    private PublicAddress() {}

    /** Settings with a port that is a number and a public URL that is not empty. */
    static Settings concrete(Settings settings) {
        return settings.with(concrete(settings.http()));
    }

    /** Where the server is reached from this machine. */
    static String url(Settings.Http http) {
        return "http://" + reachable(http.host()) + ":" + http.port();
    }

    private static Settings.Http concrete(Settings.Http http) {
        int port = http.port() == 0 ? freePort(http.host()) : http.port();
        Settings.Http listening = http.at(port, http.publicUrl());
        return http.publicUrl().isEmpty() ? http.at(port, url(listening)) : listening;
    }

    /** Free a moment ago: Vert.x could choose one itself, but only when the URLs have already been given out. */
    private static int freePort(String host) {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new StartFailed("cannot listen on " + host + " (" + e.getMessage()
                    + "): choose another address with --set http.host=ADDRESS");
        }
    }

    /** "Every address" is none that a client could ask for. */
    private static String reachable(String host) {
        return switch (host) {
            case "0.0.0.0", "::", "[::]" -> "localhost";
            default -> host.contains(":") ? "[" + host + "]" : host;
        };
    }
}
