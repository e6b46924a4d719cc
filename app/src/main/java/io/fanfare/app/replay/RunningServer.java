package io.fanfare.app.replay;

import io.fanfare.common.settings.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** {@link Target} as the command line names it. Placeholder until runtime.yaml can be read. */
record RunningServer(URI url, Optional<Settings> settings) implements Target {
    static Target at(URI url, Path data) throws IOException {
        if (url == null) {
            throw new IOException("no running server in " + data + ": start one with 'fanfare up', or give --url");
        }
        return new RunningServer(url, Optional.empty());
    }
}
