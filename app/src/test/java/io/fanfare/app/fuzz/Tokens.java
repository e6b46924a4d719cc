package io.fanfare.app.fuzz;

import io.fanfare.app.fuzz.Operations.Target;
import java.util.random.RandomGenerator;

/** Chooses the token of a request: mostly none, but mostly a user's for an operation that looks at tokens. */
final class Tokens {
    private final String token;

    /** @param token of an ordinary user */
    Tokens(String token) {
        this.token = token;
    }

    /** Null = none. */
    String draw(RandomGenerator random, Target target) {
        boolean due = !target.operation().node().path("security").isEmpty();
        return random.nextInt(4) < (due ? 3 : 1) ? token : null;
    }

    String user() {
        return token;
    }
}
