package io.fanfare.app.console;

import io.fanfare.api.oauth.Passwords;
import io.fanfare.app.operate.ProcessFacts;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.server.runtime.Component;
import io.fanfare.server.runtime.ManagementSite;
import io.fanfare.server.runtime.ServiceContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Answers {@code /console} on the management server. Nobody gets in until a token of {@code console.*} is set.
 * Questions are GETs below {@code /console/api}; actions are POSTs with a JSON object, for operators, and each of them
 * is one line of the audit log, whatever became of it. One event loop.
 */
public final class Console implements ManagementSite {
    static final String PATH = "/console";

    private static final int PROCESS_BYTES = 6;

    private static final String API = "/api/";
    private static final String FILES = "/files/";
    private static final String CLOSED = """
            The console is closed: set console.operator-token (FANFARE_CONSOLE_OPERATOR_TOKEN) to at least 16 characters,
            such as those of `head -c 32 /dev/urandom | base64`, and start this process again.
            控制台未开启：请将 console.operator-token（环境变量 FANFARE_CONSOLE_OPERATOR_TOKEN）设为至少 16 个字符，然后重启本进程。
            """;

    private final ServiceContext services;
    private final ProcessFacts inputs;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final SecureRandom random;
    private final ConsoleAudit audit;
    private final ConsoleAuthentication authentication;
    private final Map<String, Operation> operations = new LinkedHashMap<>();
    // All of these are null while the console is closed.
    private Vertx vertx;
    private ConsolePages pages;
    private Stores stores;
    private Passwords passwords;
    private LastHour lastHour;
    private MinuteRecorder recorder;
    private long timer;

    /** @param nanos elapsed time */
    public Console(
            ServiceContext services,
            ProcessFacts inputs,
            InstantSource clock,
            LongSupplier nanos,
            SecureRandom random) {
        this.services = services;
        this.inputs = inputs;
        this.clock = clock;
        this.nanos = nanos;
        this.random = random;
        this.audit = new ConsoleAudit(services, clock, nanos);
        this.authentication = new ConsoleAuthentication(services.settings(), audit, random, nanos);
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public Future<?> start(Vertx ofProcess, List<Component> parts) {
        if (!authentication.isOpen()) {
            return Future.succeededFuture();
        }
        vertx = ofProcess;
        pages = new ConsolePages(services.settings());
        lastHour = new LastHour(services.metrics(), clock, nanos);
        stores = new Stores(services, vertx);
        String process = Secrets.draw(random, PROCESS_BYTES);
        recorder = new MinuteRecorder(stores::link, process, Figures.of(services.metrics()), clock.millis());
        timer = vertx.setPeriodic(LastHour.STEP.toMillis(), tick -> recorder.look(lastHour.take(), clock.millis()));
        add(Operation.get("overview", List.of("after"), this::overview));
        History history = new History(stores::link, clock);
        add(Operation.get("history", List.of("hours"), history::last));
        new StateOperations(stores, history, vertx, services.settings().http(), services.metrics(), clock, nanos)
                .operations()
                .forEach(this::add);
        new QueueOperations(stores, services.shards(), random).operations().forEach(this::add);
        new StreamOperations(parts).operations().forEach(this::add);
        new RedisOperations(stores, vertx, services.settings().redis().options(), inputs.administrator(), clock, nanos)
                .operations()
                .forEach(this::add);
        passwords = new Passwords(vertx, random, services.settings().auth());
        new AccountOperations(
                        stores,
                        services.shards(),
                        passwords,
                        random,
                        services.settings().auth().registrations(),
                        clock)
                .operations()
                .forEach(this::add);
        new ReportOperations(stores, services.shards(), services.settings(), random)
                .operations()
                .forEach(this::add);
        new ModerationOperations(stores, services.shards(), services.settings(), random)
                .operations()
                .forEach(this::add);
        new SiteOperations(stores, services.shards(), services.settings(), random, clock)
                .operations()
                .forEach(this::add);
        ConsoleLoop loop = new ConsoleLoop(stores, services.shards(), services.settings(), random, clock);
        ConsoleFeatures.operations(loop).forEach(this::add);
        new ProcessOperations(inputs, services.shards().count()).operations().forEach(this::add);
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        if (stores == null) {
            return Future.succeededFuture();
        }
        boolean unused = vertx.cancelTimer(timer);
        if (passwords != null) { // Else the start has failed before it.
            passwords.close();
        }
        return recorder.close(Figures.of(services.metrics())).transform(closed -> stores.close());
    }

    private void add(Operation operation) {
        if (operations.put(operation.path(), operation) != null) {
            throw new IllegalStateException("two operations of the console have the path " + operation.path());
        }
    }

    private Future<JsonObject> overview(Arguments given) {
        JsonObject shown = lastHour.json(given.number("after", 0, 0, Integer.MAX_VALUE));
        DiskRow.of(services.metrics()).ifPresent(disk -> shown.put("disk", disk.json()));
        return Future.succeededFuture(shown);
    }

    @Override
    public void handle(HttpServerRequest request) {
        ConsolePages.headers(request.response());
        String path = request.path().substring(PATH.length());
        boolean reads = request.method().equals(HttpMethod.GET);
        if (!authentication.isOpen()) {
            request.response()
                    .setStatusCode(403)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            ConsoleHttp.end(request, Buffer.buffer(CLOSED));
        } else if (path.startsWith(API)) {
            api(request, path.substring(API.length()));
        } else if (!reads) {
            request.response().putHeader(HttpHeaders.ALLOW, "GET");
            ConsoleHttp.error(request, 405, "Ask with GET.");
        } else if (path.isEmpty() || path.equals("/")) {
            pages.shell(request);
        } else if (!path.startsWith(FILES) || !pages.file(request, path.substring(FILES.length()))) {
            ConsoleHttp.error(request, 404, "There is no such page: " + PATH + " is the console.");
        }
    }

    private void api(HttpServerRequest request, String name) {
        try {
            switch (name) {
                case "session" -> session(request);
                case "login" ->
                    post(
                            request,
                            Operation.BODY_BYTES_MAX,
                            given -> logIn(request, given),
                            cause -> logInFailed(request, cause));
                case "logout" -> post(request, Operation.BODY_BYTES_MAX, given -> logOut(request), cause -> {});
                default -> operate(request, name);
            }
        } catch (Refusal refusal) {
            ConsoleHttp.failure(request, refusal);
        }
    }

    private void session(HttpServerRequest request) {
        Optional<Caller> caller = authentication.caller(request);
        JsonObject answer = new JsonObject()
                .put("role", caller.map(known -> known.role().label()).orElse(null));
        ConsoleHttp.json(
                request,
                200,
                caller.map(known -> answer.mergeIn(about(known.role()))).orElse(answer));
    }

    private void logIn(HttpServerRequest request, Arguments given) {
        given.allowOnly(List.of("token"));
        Role role = authentication
                .role(request, given.text("token"))
                .orElseThrow(() -> new Refusal(
                        Refusal.Reason.UNAUTHENTICATED,
                        "That is neither console.operator-token nor console.viewer-token."));
        audit.loggedIn(request, authentication.enter(request, role));
        ConsoleHttp.json(
                request, 200, new JsonObject().put("role", role.label()).mergeIn(about(role)));
    }

    /**
     * The pages show what this process has operations for that the role may call: a build leaves out features, and a
     * viewer reads nothing private.
     */
    private JsonObject about(Role role) {
        return inputs.about()
                .put("public_url", services.settings().http().publicUrl())
                .put(
                        "operations",
                        operations.values().stream()
                                .filter(operation -> operation.isFor(role))
                                .map(Operation::path)
                                .toList());
    }

    private void logInFailed(HttpServerRequest request, Throwable cause) {
        audit.loginFailed(
                request,
                Refusal.isFor(Refusal.Reason.FORBIDDEN, cause)
                        ? ConsoleAudit.Reason.FOREIGN_PAGE
                        : ConsoleAudit.Reason.MALFORMED);
    }

    private void logOut(HttpServerRequest request) {
        authentication.leave(request);
        ConsoleHttp.json(request, 200, new JsonObject().putNull("role"));
    }

    private void operate(HttpServerRequest request, String name) {
        Operation operation = operations.get(name);
        if (operation == null) {
            throw new Refusal(Refusal.Reason.NOT_FOUND, "The console answers nothing under this path.");
        }
        HttpMethod method = operation.acts() ? HttpMethod.POST : HttpMethod.GET;
        requireMethod(request, method);
        if (operation.acts()) {
            act(request, operation);
            return;
        }
        Optional<Caller> caller =
                name.equals(StateOperations.PATH) ? authentication.idleCaller(request) : authentication.caller(request);
        requireAllowed(operation, caller);
        answer(request, work(request, operation, Arguments.of(request.params()), caller));
    }

    private static void requireMethod(HttpServerRequest request, HttpMethod method) {
        if (!request.method().equals(method)) {
            request.response().putHeader(HttpHeaders.ALLOW, method.name());
            throw new Refusal(Refusal.Reason.WRONG_METHOD, "Ask with " + method.name() + ".");
        }
    }

    private static void requireAllowed(Operation operation, Optional<Caller> caller) {
        Role role = caller.map(Caller::role)
                .orElseThrow(() -> new Refusal(
                        Refusal.Reason.UNAUTHENTICATED, "Log in with console.operator-token or console.viewer-token."));
        if (!operation.isFor(role)) {
            throw new Refusal(
                    Refusal.Reason.FORBIDDEN,
                    operation.acts()
                            ? "You may look only: this asks for console.operator-token."
                            : "This is private: log in with console.operator-token.");
        }
    }

    private void act(HttpServerRequest request, Operation operation) {
        Optional<Caller> caller = Optional.empty();
        try {
            caller = authentication.caller(request);
            requireAllowed(operation, caller);
        } catch (Refusal refusal) {
            audit.action(request, operation, caller, ConsoleAudit.Outcome.FORBIDDEN, "");
            throw refusal;
        }
        Optional<Caller> known = caller;
        post(
                request,
                operation.bodyBytesMax(),
                given -> act(request, operation, known, given),
                cause -> audit.action(request, operation, known, outcome(cause), ""));
    }

    private void act(HttpServerRequest request, Operation operation, Optional<Caller> caller, Arguments given) {
        Future<JsonObject> done = work(request, operation, given, caller);
        done.onComplete(end -> audit.action(
                request,
                operation,
                caller,
                end.succeeded() ? ConsoleAudit.Outcome.DONE : outcome(end.cause()),
                given.line(operation.logged())));
        answer(request, done);
    }

    private static ConsoleAudit.Outcome outcome(Throwable cause) {
        if (Refusal.isFor(Refusal.Reason.FORBIDDEN, cause)) {
            return ConsoleAudit.Outcome.FORBIDDEN;
        }
        return cause instanceof Refusal ? ConsoleAudit.Outcome.REFUSED : ConsoleAudit.Outcome.FAILED;
    }

    private Future<JsonObject> work(
            HttpServerRequest request, Operation operation, Arguments given, Optional<Caller> caller) {
        WorkLimit limit = WorkLimit.of(request, nanos);
        return Future.succeededFuture().compose(now -> {
            given.allowOnly(operation.arguments());
            return operation
                    .work()
                    .of(given, limit, Actor.console(caller.map(Caller::session).orElse("")))
                    .map(answer ->
                            operation.shown(answer, caller.map(Caller::role).orElse(Role.VIEWER)));
        });
    }

    private static void answer(HttpServerRequest request, Future<JsonObject> work) {
        work.onSuccess(found -> ConsoleHttp.json(request, 200, found))
                .onFailure(cause -> ConsoleHttp.failure(request, cause));
    }

    /**
     * Hands on the arguments of a POST of our own pages, or of a program, and answers what that refuses.
     *
     * @param bytesMax the longest body
     * @param unread is told why, before that is answered, when it comes from another page or cannot be read
     */
    private void post(HttpServerRequest request, int bytesMax, Consumer<Arguments> next, Consumer<Throwable> unread) {
        requireMethod(request, HttpMethod.POST);
        Future<Arguments> read = authentication.isOurs(request)
                ? ConsoleHttp.body(request, bytesMax).map(Arguments::of)
                : Future.failedFuture(
                        new Refusal(Refusal.Reason.FORBIDDEN, "Only the console's own pages may send this."));
        read.onFailure(unread::accept)
                .<Void>map(given -> {
                    next.accept(given);
                    return null;
                })
                .onFailure(cause -> ConsoleHttp.failure(request, cause));
    }
}
