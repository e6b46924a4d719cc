package io.fanfare.app;

import static io.fanfare.app.Finding.ok;
import static io.fanfare.app.Finding.warning;

import io.fanfare.common.settings.Settings;
import io.fanfare.media.Ffmpeg;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The {@code fanfare doctor} checks of settings that are valid each by itself, but work against each other. */
final class SettingsExam {
    private static final String AREA = "settings";
    private static final String PICTURES = "pictures";

    /** Connections that streams must leave to requests. */
    private static final int REQUESTS_MIN = 500;

    private SettingsExam() {}

    /**
     * @param heapBytes of a process of the service
     * @param directBytes what it may use outside of the heap
     */
    static List<Finding> run(Settings settings, long heapBytes, long directBytes) {
        List<Finding> findings = new ArrayList<>();
        Settings.Http http = settings.http();
        Settings.Stream stream = settings.stream();
        if (http.connectionsMax() - stream.connectionsMax() < REQUESTS_MIN) {
            findings.add(warning(
                    AREA,
                    "stream.connections-max (" + stream.connectionsMax() + ") leaves few of http.connections-max ("
                            + http.connectionsMax() + ") to requests",
                    "keep http.connections-max at least " + REQUESTS_MIN + " above stream.connections-max"));
        }
        long transit = http.unsentMaxBytes() + http.bodiesInFlightBytes();
        if (transit > directBytes / 4 * 3) {
            findings.add(warning(
                    AREA,
                    "http.unsent-max-bytes and http.bodies-in-flight-bytes are together " + MachineExam.mib(transit)
                            + ", of " + MachineExam.mib(directBytes) + " outside of the heap",
                    "lower them, or raise -XX:MaxDirectMemorySize (FANFARE_JAVA_OPTS)"));
        }
        long rings = stream.ringBytes() * http.eventLoops();
        if (rings > heapBytes / 2) {
            findings.add(warning(
                    AREA,
                    "stream.ring-bytes on " + http.eventLoops() + " event loops may take " + MachineExam.mib(rings)
                            + " of a heap of " + MachineExam.mib(heapBytes),
                    "lower stream.ring-bytes or http.event-loops, or raise -Xmx (FANFARE_JAVA_OPTS)"));
        }
        if (stream.ringEvents() > stream.logEvents()) {
            findings.add(warning(
                    AREA,
                    "stream.ring-events is larger than stream.log-events: a restarted process has fewer events than before",
                    "keep stream.ring-events below stream.log-events"));
        }
        if (!isLoopback(http.host()) && http.publicUrl().isEmpty()) {
            findings.add(warning(
                    AREA,
                    "http.host is " + http.host()
                            + " and http.public-url is empty: clients get addresses that may lead nowhere"
                            + (http.tls().isSet() ? "" : ", and passwords travel unencrypted"),
                    "set http.public-url to the https:// address of "
                            + (http.tls().isSet() ? "this server" : "the proxy")));
        }
        if (!isLoopback(http.host()) && !settings.limits().enabled()) {
            findings.add(warning(
                    AREA,
                    "limits.enabled is false on a server that others can reach: one client can take it all",
                    "set limits.enabled to true"));
        }
        if (settings.redis().url().isSet() && isOpenRedis(settings.redis().url().reveal())) {
            findings.add(warning(
                    AREA,
                    "redis.url leads to another machine without TLS: its password and all data can be read on the way",
                    "use rediss://, or a private network that you trust"));
        }
        return findings.isEmpty() ? List.of(ok(AREA, "no settings work against each other")) : findings;
    }

    /**
     * Whether videos have previews.
     *
     * @param path directories with colons between, in which programs are
     */
    static Finding previews(Settings.Media media, String path) {
        if (media.videoBytesMax() == 0) {
            return ok(PICTURES, "no video and no sound is taken (media.video-bytes-max is 0)");
        }
        Optional<Path> program = Ffmpeg.program(media, path);
        if (program.isPresent()) {
            return ok(PICTURES, "previews of video are made by " + program.get());
        }
        return media.ffmpeg().isEmpty() || media.ffmpeg().equals(Ffmpeg.NONE)
                ? ok(PICTURES, "video has no previews: there is no ffmpeg on the PATH, or media.ffmpeg is none")
                : warning(
                        PICTURES,
                        "media.ffmpeg is " + media.ffmpeg() + ", which is no program: video has no previews",
                        "install it there, or correct media.ffmpeg");
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    /** Plain TCP to a host that is not this machine. */
    private static boolean isOpenRedis(String url) {
        if (!url.startsWith("redis://")) {
            return false;
        }
        String place = url.substring("redis://".length()).replaceFirst("^[^@/]*@", "");
        return Arrays.stream(place.replaceFirst("/.*", "").split(","))
                .map(node -> node.startsWith("[")
                        ? node.replaceFirst("^\\[([^\\]]*)].*", "$1")
                        : node.replaceFirst(":.*", ""))
                .anyMatch(host -> !isLoopback(host));
    }
}
