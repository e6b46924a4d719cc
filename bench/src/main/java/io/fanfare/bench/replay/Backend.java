package io.fanfare.bench.replay;

import io.fanfare.bench.input.SocialGraph;
import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalLong;

/**
 * How the replay sets its scene and looks behind it: through the stores where they can be reached, else as any client
 * over HTTP. Posting is not its business.
 */
interface Backend {
    /** Makes accounts with these names, and a token for each; in their order. */
    Future<List<Person>> people(List<String> usernames);

    /** Makes all the follow edges of the graph among these people. */
    Future<Void> follows(List<Person> people, SocialGraph graph);

    /** Whether no work is left; always true where that cannot be seen. */
    Future<Boolean> quiet();

    /** Whether {@link #quiet} can be seen, so that a home that is wrong then will stay wrong. */
    boolean seesQuiet();

    /**
     * The newest entries of a home, newest first: at least {@code max} if there are so many; null when the home does
     * not exist.
     */
    Future<List<Long>> home(Person reader, int max);

    /** Which of these readers' homes do not hold the status (among their newest entries). */
    Future<List<Person>> lacking(List<Person> readers, long status);

    /** How many homes have ever been built or rebuilt; empty where that cannot be seen. */
    Future<OptionalLong> homesBuilt();

    /** How many authors readers pull, so that homes do not hold all that they show; 0 where that cannot be seen. */
    Future<Long> pulledAuthors();

    /** How homes are looked at, in a few words. */
    String means();

    Future<Void> close();
}
