package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.app.Cast.Caller;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.FaultyProxy;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.http.Repetition;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every operation of openapi.yaml that writes, with the connection to Redis cut before or after one of its commands,
 * and then repeated by its client, with and without an Idempotency-Key. When all jobs are done, everything is as after
 * one request without a fault, or as after two where the client has not said that they are one; a verification of the
 * whole data set finds nothing.
 */
@ParameterizedClass
@EnumSource // Both in each build: each takes operations of its own.
class EveryWriteCutTest {
    /** The short form takes two of so many operations, one for each kind of Redis. Even, since the kinds take turns. */
    private static final int SHARE = 6;

    private static final long SEED = 16;

    private final TestRedis.Kind kind;
    private final TestRedis redis;
    private final Random random = new Random(SEED);
    private final List<Done> done = new ArrayList<>();
    private final Map<String, Control> controls = new HashMap<>();
    private FaultyProxy proxy;
    private ContractServer server;
    private ContractServer working;
    private JsonNode rows;
    private Cast people;

    EveryWriteCutTest(TestRedis.Kind kind) {
        this.kind = kind;
        redis = kind.redis();
    }

    @BeforeEach
    void start() {
        redis.flush();
        proxy = new FaultyProxy(redis);
        // The beats of relays go on beside requests.
        proxy.counting(command -> !command.get(0).asString().equals("SPUBLISH"));
        server = new ContractServer(proxy.options());
        working = new ContractServer(redis);
        working.startWorkers();
        rows = Request.rows();
        // Over a line without faults: a cut may be noticed late, and must not meet what prepares the next one.
        people = new Cast(working);
    }

    @AfterEach
    void stop() {
        server.close();
        working.close();
        proxy.close();
    }

    @Test
    void aCutAnywhereAndARepetitionAreOneRequest() {
        cut(share(i -> i % SHARE < 2), 1);
    }

    @Test
    @Tag("programs")
    void aCutAnywhereAndARepetitionAreOneRequestOfAllOtherOperations() {
        cut(share(i -> i % SHARE >= 2), 1);
    }

    /** The operations of this kind of Redis among those with these numbers. */
    private List<Operation> share(IntPredicate numbers) {
        List<Operation> all = operations();
        return IntStream.range(0, all.size())
                .filter(numbers)
                .filter(i -> i % 2 == (kind == TestRedis.Kind.CLUSTER ? 1 : 0))
                .mapToObj(all::get)
                .toList();
    }

    @Test
    @Tag("faults")
    void aCutBeforeAndAfterEveryCommandAndARepetitionAreOneRequest() {
        cut(operations(), Integer.MAX_VALUE);
    }

    /** One cut, done by a cast of its own; its state is compared when everything is at rest. */
    private record Done(String what, Cast cast, Control control, Set<Integer> allowed) {}

    /** The same without a fault, done once and done twice. */
    private record Control(Cast once, Cast twice, int first, int second, int commands) {}

    private record Cut(int command, boolean after, boolean withKey) {
        @Override
        public String toString() {
            return "cut " + (after ? "after" : "before") + " command " + command + (withKey ? ", with a key" : "");
        }
    }

    private List<Operation> operations() {
        List<Operation> operations = server.operations()
                .filter(this::writes)
                .sorted(Comparator.comparing(Operation::id))
                .toList();
        assertThat(operations).as("operations that write").hasSizeGreaterThan(30);
        return operations;
    }

    /** @param most cuts of each operation */
    private void cut(List<Operation> operations, int most) {
        int cuts = 0;
        for (Operation operation : operations) {
            Control control = control(operation);
            controls.put(operation.id(), control);
            List<Cut> all = cutsOf(operation, control.commands());
            Collections.shuffle(all, random);
            for (Cut cut : all.subList(0, Math.min(most, all.size()))) {
                cuts += cut(operation, control, cut) ? 1 : 0;
            }
        }
        // What is sent beside requests shifts some beyond the end of theirs.
        assertThat(cuts).as("cuts").isGreaterThan(operations.size() / 2);
        awaitQuiet();
        for (Operation operation : operations) {
            if (repetition(operation) == Repetition.SAFE) {
                Control control = controls.get(operation.id());
                assertThat(state(control.twice()))
                        .as(operation.id() + ", twice")
                        .isEqualTo(state(control.once()));
            }
        }
        for (Done each : done) {
            Set<String> expected = new TreeSet<>();
            if (each.allowed().contains(1)) {
                expected.add(state(each.control().once()));
            }
            if (each.allowed().contains(2)) {
                expected.add(state(each.control().twice()));
            }
            assertThat(state(each.cast())).as(each.what()).isIn(expected);
        }
        working.showRoles();
        CommandRun verify = CommandRun.of(List.of(
                "admin",
                "verify",
                "--set",
                "redis.mode=" + redis.options().mode().toString().toLowerCase(Locale.ROOT),
                "--set",
                "redis.url=" + redis.options().url().reveal()));
        assertThat(verify.status()).as(verify.out() + verify.err()).isZero();
        System.out.println(cuts + " cuts of " + operations.size() + " operations, seed " + SEED);
    }

    /** The sentence for clients that do not know whether it was done. */
    private static Repetition repetition(Operation operation) {
        return Repetition.of(operation.method(), operation.path().replaceAll("\\{[^}]*}", ":id"));
    }

    private boolean writes(Operation operation) {
        JsonNode row = rows.path(operation.id());
        int status = row.path("owner").asInt(row.path("anyone").asInt(200));
        boolean stream = operation.id().startsWith("stream");
        return !operation.method().equals("GET") && status == 200 && !stream;
    }

    private static List<Cut> cutsOf(Operation operation, int commands) {
        List<Cut> cuts = new ArrayList<>();
        for (int command = 1; command <= commands; command++) {
            for (boolean after : List.of(false, true)) {
                cuts.add(new Cut(command, after, false));
                if (takesKey(operation)) {
                    cuts.add(new Cut(command, after, true));
                }
            }
        }
        return cuts;
    }

    private static boolean takesKey(Operation operation) {
        return StreamSupport.stream(operation.node().path("parameters").spliterator(), false)
                .map(Contract.instance()::resolve)
                .anyMatch(parameter -> parameter.path("name").asText().equalsIgnoreCase("Idempotency-Key"));
    }

    private Control control(Operation operation) {
        AtomicReference<Control> control = new AtomicReference<>();
        awaitUntil(operation.id() + " without a fault", () -> {
            control.set(unfaulted(operation));
            return control.get() != null;
        });
        return control.get();
    }

    /** Null when the server has noticed only now what the last cut ended: that of another operation. */
    private Control unfaulted(Operation operation) {
        Cast once = people.again();
        Request request = prepared(operation, once);
        proxy.count();
        int first = request.send(server, once.token(Caller.OWNER)).status();
        breathe();
        int commands = proxy.counted();
        Cast twice = people.again();
        Request again = prepared(operation, twice);
        int firstOfTwo = again.send(server, twice.token(Caller.OWNER)).status();
        int second = again.send(server, twice.token(Caller.OWNER)).status();
        if (first == 503 || firstOfTwo == 503 || second == 503) {
            return null;
        }
        assertThat(firstOfTwo).isEqualTo(first);
        return new Control(once, twice, first, second, commands);
    }

    private boolean cut(Operation operation, Control control, Cut cut) {
        String what = operation.id() + ", " + cut;
        Cast cast = people.again();
        Request request = prepared(operation, cast);
        String token = cast.token(Caller.OWNER);
        String key = cut.withKey() ? "key" : null;
        if (cut.after()) {
            proxy.cutAfter(cut.command());
        } else {
            proxy.cutBefore(cut.command());
        }
        int faulty = request.send(server, token, key).status();
        breathe();
        boolean struck = proxy.hasStruck();
        proxy.count();
        assertThat(faulty).as(what).isIn(control.first(), 503);
        // The link may not have its connection back yet.
        AtomicReference<Answer> repeated = new AtomicReference<>();
        awaitUntil(what + ": it can be repeated", () -> {
            repeated.set(request.send(server, token, key));
            return repeated.get().status() != 503;
        });
        assertThat(repeated.get().status())
                .as(what + ": " + repeated.get().body())
                .isIn(control.first(), control.second());
        done.add(new Done(what, cast, control, key != null ? Set.of(1) : Set.of(1, 2)));
        return struck;
    }

    /** A request that can succeed: if it undoes something, that is done first. */
    private Request prepared(Operation operation, Cast cast) {
        Request request = Request.of(operation, rows.path(operation.id()), cast);
        if (Request.isOfStaff(operation)) {
            prepareStaff(request, cast);
            return request;
        }
        String opposite = request.path().replaceFirst("/un(\\w+)$", "/$1");
        if (!opposite.equals(request.path())) {
            if (opposite.matches("/api/v1/accounts/\\d+/(endorse|pin)")) { // Of whom one follows.
                String follow = opposite.replaceFirst("\\w+$", "follow");
                assertThat(working.send("POST", follow, cast.token(Caller.OWNER), null)
                                .status())
                        .as(follow)
                        .isEqualTo(200);
            }
            Answer prior = working.send("POST", opposite + request.query(), cast.token(Caller.OWNER), request.body());
            assertThat(prior.status()).as(opposite).isEqualTo(200);
        }
        return request;
    }

    /** Restricts or takes first, so that there is something to take back; {banned} is suspended already. */
    private void prepareStaff(Request request, Cast cast) {
        String act = request.path().replaceFirst("/un(silence|sensitive)$", "/action");
        String take = request.path().replaceFirst("/unassign$", "/assign_to_self");
        String prior = act.equals(request.path()) ? take : act;
        if (!prior.equals(request.path())) {
            String body = prior.equals(take) ? null : "type=" + request.path().replaceFirst(".*/un", "");
            assertThat(working.send("POST", prior, cast.token(Caller.OWNER), body)
                            .status())
                    .as(prior)
                    .isEqualTo(200);
        }
    }

    /** Waits until the server has sent the commands that follow a response: they precede its answer to this one. */
    private void breathe() {
        Answer unused = server.send("GET", "/api/v1/accounts/lookup?acct=nobody", null, null);
    }

    /** The state of a cast as clients see it, without the values that differ from cast to cast. */
    private String state(Cast cast) {
        String token = cast.token(Caller.OWNER);
        String account = "/api/v1/accounts/" + cast.fill("{account}");
        StringBuilder state = new StringBuilder();
        state.append(counts(account, token));
        if (cast.hasStranger()) {
            state.append(counts("/api/v1/accounts/" + cast.fill("{stranger}"), token));
            state.append(relationship(cast, token));
        }
        for (String list : List.of(
                account + "/statuses",
                account + "/comments",
                "/api/v1/timelines/home",
                "/api/v1/favourites",
                "/api/v1/bookmarks")) {
            List<String> lines = new ArrayList<>();
            get(list, token).forEach(status -> lines.add(status(status)));
            Collections.sort(lines);
            state.append(list.replaceAll("\\d+", "N")).append(lines).append('\n');
        }
        get("/api/v1/scheduled_statuses", token)
                .forEach(scheduled -> state.append(fields(scheduled, "scheduled_at", "params")));
        for (String list : List.of("/api/v1/blocks", "/api/v1/mutes", "/api/v1/tokens", "/api/v1/notifications")) {
            JsonNode answer = server.send("GET", list, token, null).json();
            state.append(list)
                    .append(
                            answer.isArray()
                                    ? answer.size()
                                    : answer.path("error").asText().length() > 0)
                    .append('\n');
        }
        if (cast.pollOfAnother() != null) {
            state.append(fields(
                    get("/api/v1/polls/" + cast.pollOfAnother(), token),
                    "votes_count",
                    "voters_count",
                    "own_votes",
                    "options"));
        }
        return state.toString();
    }

    private String counts(String account, String token) {
        return fields(get(account, token), "followers_count", "following_count", "statuses_count", "note") + '\n';
    }

    private String relationship(Cast cast, String token) {
        JsonNode relationship = get("/api/v1/accounts/relationships?id[]=" + cast.fill("{stranger}"), token);
        return fields(relationship.path(0), "following", "followed_by", "blocking", "muting", "muting_notifications")
                + '\n';
    }

    private JsonNode get(String path, String token) {
        return server.send("GET", path, token, null).json();
    }

    private static String status(JsonNode status) {
        return fields(
                        status,
                        "content",
                        "visibility",
                        "favourites_count",
                        "reblogs_count",
                        "replies_count",
                        "favourited",
                        "reblogged",
                        "bookmarked")
                + (status.path("reblog").isObject() ? " repost" : "")
                + (status.path("edited_at").isTextual() ? " edited" : "")
                + status.at("/article/votes_count");
    }

    private static String fields(JsonNode object, String... names) {
        StringBuilder fields = new StringBuilder();
        for (String name : names) {
            fields.append(name).append('=').append(object.path(name)).append(' ');
        }
        return fields.toString();
    }

    private void awaitQuiet() {
        Vertx vertx = Vertx.vertx();
        Settings settings = SettingsLoader.defaultsWith();
        RedisLink link = redis.link(vertx);
        JobQueue queue = new JobQueue(link, new Shards(settings.redis().shards()), settings.queue());
        awaitUntil("all jobs are done", () -> await(queue.stats()).stream().allMatch(QueueStats::isQuiet));
        assertThat(await(queue.stats()).stream().mapToLong(QueueStats::dead).sum())
                .as("dead letters")
                .isZero();
        await(vertx.close());
    }
}
