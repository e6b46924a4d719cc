package io.fanfare.bench.replay;

import io.fanfare.common.settings.Settings;
import io.fanfare.secret.Secret;
import java.net.URI;
import java.util.Optional;

/** Where the server is. Asked again after every failure: a server that was restarted may be elsewhere. */
interface Target {
    /** Base of the API. */
    URI url();

    /** The settings that lead to its Redis; empty when only the API can be reached. */
    Optional<Settings> settings();

    /** Where its Redis takes the administrator; empty when that is not known. */
    Optional<Secret> administrator();
}
