package io.fanfare.bench.replay;

import io.fanfare.app.operate.VerifyRun;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.SigningKeyFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@link Target} as the command line names it: a URL, or the data directory of a running service, whose
 * {@code runtime.yaml} is read again at every question. While it is missing - the service is being restarted - the last
 * known place counts. One thread at a time.
 */
public final class RunningServer implements Target {
    private static final Path DATA_DEFAULT = Path.of("data");

    private final URI url;
    private final Path data;
    private RuntimeFile last;

    private RunningServer(URI url, Path data, RuntimeFile last) {
        this.url = url;
        this.data = data;
        this.last = last;
    }

    /**
     * The server on a data directory, or at a URL.
     *
     * @param url null = from the data directory; otherwise it is where requests go, whatever the directory says
     * @param data null = {@code ./data} if there is no URL, else none
     * @throws IOException if no server runs there, or the URL has no host
     */
    public static RunningServer at(URI url, Path data) throws IOException {
        if (url != null && url.getHost() == null) {
            throw new IOException("not a URL: " + url);
        }
        if (url != null && data == null) {
            return new RunningServer(url, null, null);
        }
        Path directory = data == null ? DATA_DEFAULT : data;
        RuntimeFile found = RuntimeFile.read(directory)
                .orElseThrow(() -> new IOException(
                        "nothing runs on " + directory + ": start it with 'fanfare up', or give --url"));
        return new RunningServer(url, directory, found);
    }

    @Override
    public URI url() {
        if (url != null) {
            return url;
        }
        refresh();
        return URI.create(last.httpUrl());
    }

    @Override
    public Optional<Settings> settings() {
        if (data == null) {
            return Optional.empty();
        }
        refresh();
        Map<String, String> environment = System.getenv();
        Settings settings = SettingsLoader.load(
                List.of(SettingsLayer.defaults(), last.layer(data), SettingsLayer.environment(environment)));
        return Optional.of(SigningKeyFile.applied(data, settings));
    }

    @Override
    public Optional<Secret> administrator() {
        return data == null ? Optional.empty() : VerifyRun.administratorOf(data);
    }

    private void refresh() {
        last = RuntimeFile.read(data).orElse(last);
    }
}
