package io.fanfare.app.console;

import io.fanfare.server.http.AuditLines;
import io.fanfare.server.http.AuditLines.Bound;
import io.fanfare.server.runtime.ServiceContext;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The audit events of the console: who logged in, which tokens were wrong, and each action, whatever became of it. What
 * strangers cause is bounded; no action of somebody who is known is left out. One event loop.
 */
final class ConsoleAudit {
    private static final String LOGIN = "console-login";
    private static final String LOGIN_FAILED = "console-login-failed";
    private static final String ACTION = "console-action";

    /** Why a token or a log-in was not taken. */
    enum Reason {
        WRONG_TOKEN,
        /** A wrong token, and its address had to wait. */
        RATE,
        /** A page of another origin tried to log the browser in. */
        FOREIGN_PAGE,
        /** The body is none that is read here. */
        MALFORMED
    }

    /** The result of an action. */
    enum Outcome {
        DONE,
        /** It cannot be done as it was asked for. */
        REFUSED,
        /** The caller may not act, or is not known. */
        FORBIDDEN,
        FAILED
    }

    private final AuditLines lines;

    /** @param nanos elapsed time */
    ConsoleAudit(ServiceContext services, InstantSource clock, LongSupplier nanos) {
        this.lines = new AuditLines(
                services.settings(),
                services.keys(),
                services.metrics(),
                clock,
                nanos,
                List.of(LOGIN, LOGIN_FAILED, ACTION));
    }

    void loggedIn(HttpServerRequest request, Caller caller) {
        lines.write(LOGIN, Bound.NONE, () -> who(Optional.of(caller)) + " address=" + lines.address(request));
    }

    void loginFailed(HttpServerRequest request, Reason reason) {
        lines.write(
                LOGIN_FAILED,
                Bound.STRANGERS,
                () -> "reason=" + AuditLines.label(reason) + " address=" + lines.address(request));
    }

    /**
     * An action, or an attempt at one.
     *
     * @param caller empty = nobody that is known
     * @param given {@link Arguments#line}
     */
    void action(
            HttpServerRequest request, Operation operation, Optional<Caller> caller, Outcome outcome, String given) {
        lines.write(
                ACTION,
                caller.isPresent() ? Bound.NONE : Bound.STRANGERS,
                () -> "action=" + operation.path() + " " + who(caller) + " address=" + lines.address(request)
                        + " outcome=" + AuditLines.label(outcome) + " given=\"" + given + "\"");
    }

    private static String who(Optional<Caller> caller) {
        return "role=" + caller.map(known -> known.role().label()).orElse(AuditLines.NOTHING) + " session="
                + caller.map(Caller::session).orElse(AuditLines.NOTHING);
    }
}
