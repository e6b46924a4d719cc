package io.fanfare.app.fuzz;

import io.fanfare.app.fuzz.Operations.Target;
import java.util.random.RandomGenerator;

/** Whose request it is: mostly a stranger's; and a user's where a stranger gets no further than the door. */
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
