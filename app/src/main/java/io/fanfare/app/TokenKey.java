package io.fanfare.app;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Meta;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.SigningKeyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Sees to the key of access tokens before {@code up} starts: the one of the settings, else that in the data folder,
 * which is made at the first start. Releases before this one kept it in Redis, whose files are copied around (ADR
 * 0015).
 */
final class TokenKey {
    private TokenKey() {}

    /**
     * A key in the service's own Redis goes over into the data folder, unless the settings want it where it is. In the
     * folder first: a process that is killed in between does it again.
     */
    static Settings besideOwnRedis(Path data, Settings settings, EmbeddedRedis redis) throws IOException {
        if (settings.auth().signingKey().reveal().equals(Settings.Auth.STORED_KEY)) {
            return SigningKeyFile.applied(data, settings);
        }
        Optional<Secret> stored = redis.storedSigningKey().map(SigningKeyFile::ofHex);
        Optional<Secret> kept = SigningKeyFile.read(data);
        if (kept.isEmpty() && stored.isPresent()) {
            SigningKeyFile.write(data, stored.get());
        } else if (kept.isEmpty() && !settings.auth().signingKey().isSet()) {
            SigningKeyFile.write(data, SigningKeyFile.drawn(new SecureRandom()));
        }
        if (stored.isPresent() && stored.equals(SigningKeyFile.read(data))) {
            redis.forgetSigningKey();
        }
        return SigningKeyFile.applied(data, settings);
    }

    /** Processes on other machines may count on the key that they find in Redis: it stays where it is. */
    static Settings besideForeignRedis(Path data, Settings settings) {
        Settings keyed = SigningKeyFile.applied(data, settings);
        if (!keyed.auth().keys().contains("")) {
            return keyed;
        }
        boolean stored = RemoteStores.askRedis(keyed, redis -> new Meta(redis, new SecureRandom()).storedKey())
                .isPresent();
        if (stored) {
            return keyed;
        }
        SigningKeyFile.write(data, SigningKeyFile.drawn(new SecureRandom()));
        return SigningKeyFile.applied(data, settings);
    }
}
