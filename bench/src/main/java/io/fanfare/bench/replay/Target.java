package io.fanfare.bench.replay;

import io.fanfare.common.settings.Settings;
import io.fanfare.secret.Secret;
import java.net.URI;
import java.util.Optional;

/** The address of the server. It is read again after every failure, because a restarted server may have another. */
interface Target {
    /** Base of the API. */
    URI url();

    /** The settings that lead to its Redis; empty when only the API can be reached. */
    Optional<Settings> settings();

    /** The administrator's address of its Redis; empty when it is not known. */
    Optional<Secret> administrator();
}
