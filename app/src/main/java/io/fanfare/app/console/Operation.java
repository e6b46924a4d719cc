package io.fanfare.app.console;

import io.fanfare.core.moderation.Act.Actor;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * A query or an action of the console, below {@code /console/api}.
 *
 * @param acts true for an action: it changes something, needs POST and an operator, and is logged
 * @param needsOperator whether viewers are refused: an action, or a query of what is private
 * @param arguments the names of its arguments; another name is refused
 * @param logged those of them whose values are in the audit log
 * @param hidden the fields of the answer that viewers do not get
 * @param bodyBytesMax the longest body of an action
 */
record Operation(
        String path,
        boolean acts,
        boolean needsOperator,
        List<String> arguments,
        List<String> logged,
        List<String> hidden,
        AnyWork work,
        int bodyBytesMax) {
    /** The longest body of a log-in, and of an action without long texts. */
    static final int BODY_BYTES_MAX = 8 << 10;

    Operation {
        arguments = List.copyOf(arguments);
        logged = List.copyOf(logged);
        hidden = List.copyOf(hidden);
    }

    /** Answers on the console's event loop. */
    interface Work {
        Future<JsonObject> of(Arguments given);
    }

    /** The same, of many steps: stops between two of them when the limit is reached. */
    interface LongWork {
        Future<JsonObject> of(Arguments given, WorkLimit limit);
    }

    /** An act of moderation, which is logged with the name of its actor. */
    interface Moderation {
        Future<JsonObject> of(Arguments given, Actor by);
    }

    /** Each of these kinds of work. */
    interface AnyWork {
        Future<JsonObject> of(Arguments given, WorkLimit limit, Actor by);
    }

    private Operation(String path, boolean acts, List<String> arguments, AnyWork work) {
        this(path, acts, acts, arguments, arguments, List.of(), work, BODY_BYTES_MAX);
    }

    /** The same action with a longer body, which is read after the caller has proved to be an operator. */
    Operation withBody(int bytesMax) {
        return new Operation(path, acts, needsOperator, arguments, logged, hidden, work, bytesMax);
    }

    /** The same action with only these arguments in the audit log, which has no texts of people and no addresses. */
    Operation logging(String... names) {
        return new Operation(path, acts, needsOperator, arguments, List.of(names), hidden, work, bodyBytesMax);
    }

    /** The same query for operators alone, since its answer has texts or data of people that are not public. */
    Operation forOperators() {
        return new Operation(path, acts, true, arguments, logged, hidden, work, bodyBytesMax);
    }

    /** The same query, whose answer to a viewer lacks these fields. */
    Operation hiding(String... fields) {
        return new Operation(path, acts, needsOperator, arguments, logged, List.of(fields), work, bodyBytesMax);
    }

    /** Whether a caller with this role may call it. */
    boolean isFor(Role role) {
        return !needsOperator || role == Role.OPERATOR;
    }

    /** The part of an answer that a caller with this role gets. */
    JsonObject shown(JsonObject answer, Role role) {
        if (role != Role.OPERATOR) {
            hidden.forEach(answer::remove);
        }
        return answer;
    }

    static Operation get(String path, List<String> arguments, Work work) {
        return get(path, arguments, (given, limit) -> work.of(given));
    }

    static Operation get(String path, List<String> arguments, LongWork work) {
        return new Operation(path, false, arguments, (given, limit, by) -> work.of(given, limit));
    }

    static Operation post(String path, List<String> arguments, Work work) {
        return post(path, arguments, (given, limit) -> work.of(given));
    }

    static Operation post(String path, List<String> arguments, LongWork work) {
        return new Operation(path, true, arguments, (given, limit, by) -> work.of(given, limit));
    }

    static Operation moderation(String path, List<String> arguments, Moderation work) {
        return new Operation(path, true, arguments, (given, limit, by) -> work.of(given, by));
    }

    /** The action of an operation in the log of acts. */
    static String action(String path) {
        return path.replace('/', '.');
    }
}
