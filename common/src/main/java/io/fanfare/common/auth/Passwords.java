package io.fanfare.common.auth;

import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;

/**
 * Argon2id (RFC 9106) with its parameters in the PHC string, on a bounded pool off the event loop: {@code auth.hashes-at-once} run, {@code auth.hashes-waiting} wait, more are
 * refused with {@code OVERLOADED}.
 */
public final class Passwords {
    public Passwords(Vertx vertx, SecureRandom random, Settings.Auth settings) {
        throw new UnsupportedOperationException();
    }

    public Future<String> hash(String password) {
        throw new UnsupportedOperationException();
    }

    /** Whether the password fits; costs the same work when {@code phc} is null (unknown user). */
    public Future<Boolean> verify(String password, String phc) {
        throw new UnsupportedOperationException();
    }

    /** Whether the hash was made with other parameters than today's. */
    public boolean outdated(String phc) {
        throw new UnsupportedOperationException();
    }
}
