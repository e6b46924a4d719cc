package io.fanfare.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.client.stream.Cursor;
import io.fanfare.client.stream.Filter;
import io.fanfare.client.stream.StreamBuilder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A wrong argument of any call is a sentence, and nothing is sent. */
class ArgumentsTest {
    private static final Map<Class<?>, List<Object>> WRONG = Map.of(
            String.class, Arrays.asList(null, "", " "),
            Collection.class, Arrays.asList(null, List.of()),
            Duration.class, Arrays.asList(null, Duration.ofSeconds(-1)),
            Instant.class, Arrays.asList((Object) null),
            Path.class, Arrays.asList(null, Path.of("no such file")),
            NewStatus.class, Arrays.asList((Object) null),
            LongConsumer.class, Arrays.asList((Object) null));

    private static final Map<Class<?>, Object> RIGHT = Map.of(
            String.class,
            "7",
            Collection.class,
            List.of("7"),
            Duration.class,
            Duration.ofHours(1),
            Instant.class,
            Instant.EPOCH,
            Path.class,
            Path.of("pom.xml"),
            NewStatus.class,
            NewStatus.text("hi"),
            LongConsumer.class,
            (LongConsumer) bytes -> {},
            boolean.class,
            true);

    /** A note and a profile may be empty, a key may be absent, a description may be empty, groups may be none. */
    private static final List<String> MAY_BE_EMPTY =
            List.of("note:1", "update:0", "update:1", "signUp:3", "upload:1", "describe:1", "post:2");

    private static final Fanfare NOBODY =
            Fanfare.at("http://127.0.0.1:1").attempts(1).build();

    static Stream<Arguments> calls() {
        return Stream.of(
                        NOBODY.accounts(),
                        NOBODY.statuses(),
                        NOBODY.timelines(),
                        NOBODY.notifications(),
                        NOBODY.media(),
                        NOBODY.lists(),
                        NOBODY.articles(),
                        NOBODY.apps())
                .flatMap(group -> Arrays.stream(group.getClass().getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() > 0)
                        .map(method -> Arguments.of(group, method)));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("calls")
    void aWrongArgumentIsASentence(Object group, Method method) {
        for (int at = 0; at < method.getParameterCount(); at++) {
            for (Object wrong : WRONG.getOrDefault(method.getParameterTypes()[at], List.of())) {
                boolean mayBeEmpty = MAY_BE_EMPTY.contains(method.getName() + ":" + at);
                if (mayBeEmpty && (wrong != null || method.getName().equals("signUp"))) {
                    continue;
                }
                List<Object> arguments = new ArrayList<>();
                for (Class<?> type : method.getParameterTypes()) {
                    arguments.add(RIGHT.get(type));
                }
                arguments.set(at, wrong);
                assertThatThrownBy(() -> invoke(group, method, arguments))
                        .as("%s with %s", method, arguments)
                        .isInstanceOf(IllegalArgumentException.class)
                        .satisfies(e -> assertThat(e.getMessage()).contains(" ").hasSizeGreaterThan(15));
            }
        }
    }

    private static void invoke(Object group, Method method, List<Object> arguments) throws Throwable {
        try {
            Object unused = method.invoke(group, arguments.toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void anIdCannotLeaveItsPlaceInThePath() {
        for (String id : List.of("../7", "7/../8", "7?x=1", "7#", "7 8", "%2e%2e", "7\n8", "x".repeat(101))) {
            refused(() -> NOBODY.statuses().get(id), "an id has 1 to 100 letters and digits");
        }
        refused(() -> NOBODY.timelines().tag("../x"), "a hashtag has letters");
    }

    @Test
    void theBuilderOfAClientExplainsWrongOptions() {
        for (String address : Arrays.asList(
                null,
                "",
                "localhost",
                "ftp://x",
                "http://",
                "http://x:99999",
                "http://u:p@x",
                "http://x?y",
                "http://a b")) {
            refused(() -> Fanfare.at(address), "is no address of a server: write http://HOST:PORT or https://HOST");
        }
        refused(() -> Fanfare.at(), "the list of addresses is empty");
        refused(() -> Fanfare.at("http://x").token("a b"), "the access token has a character that no token has");
        refused(() -> Fanfare.at("http://x").attempts(0), "the number of attempts is 0: pass 1 to 100");
        refused(() -> Fanfare.at("http://x").timeLimit(Duration.ZERO), "the time limit is at least a millisecond");
        refused(() -> Fanfare.at("http://x").waitMax(null), "the longest wait is zero or more");
        refused(() -> NOBODY.call("GET", "//evil.example/x", Map.of()), "a path begins with one slash");
        refused(() -> NOBODY.call("", "/x", Map.of()), "the method is empty");
    }

    @Test
    void theBuilderOfAStreamExplainsWrongOptions() {
        StreamBuilder stream = NOBODY.firehose();
        refused(() -> stream.from(null), "the cursor is null");
        refused(() -> stream.from(new Cursor("a\nb")), "has a line break");
        refused(() -> stream.last(0), "the count of events is 0: pass 1 to 150000");
        refused(() -> stream.onlyLast(150_001), "the count of events is 150001");
        refused(() -> stream.maxRate(0), "the rate of events is 0");
        refused(() -> stream.buffer(0, 1), "the count of buffered events is 0");
        refused(() -> stream.eventBytesMax(1), "the size of an event in bytes is 1");
        refused(() -> stream.silenceMax(Duration.ofMillis(1)), "the longest silence is at least 100 ms");
        refused(() -> stream.onGap((Consumer<io.fanfare.client.stream.StreamEvent.Gap>) null), "the callback is null");
        refused(() -> stream.partition(2, 2), "the number of the partition is 2: pass 0 to 1");
        refused(() -> stream.partition(0, 2000), "the count of partitions is 2000: pass 1 to 1024");
        refused(() -> NOBODY.home().partition(0, 2), "only the firehose and the sample have partitions here");
        refused(() -> Filter.track("a").partition(-1, 2), "the number of the partition is -1");
        refused(() -> Filter.track(), "track is empty");
        refused(() -> Filter.track(" "), "a value of track is empty");
        refused(() -> Filter.follow("a\nb"), "a value of follow has a line break");
        for (String text : List.of("a,b", "a\uff0cb")) {
            for (String name : List.of("track", "follow", "exclude", "language", "fields")) {
                refused(() -> of(name, text), "a value of " + name + " contains a comma");
            }
        }
        refused(() -> new Filter.Box(181, 0, 0, 0), "a box has longitudes");
        refused(() -> new Filter.Box(0, 1, 0, 0), "the south of a box is north of its north");
    }

    private static Filter of(String name, String text) {
        return switch (name) {
            case "track" -> Filter.track("x", text);
            case "follow" -> Filter.follow(text);
            case "exclude" -> Filter.track("x").exclude(text);
            case "language" -> Filter.track("x").language(text);
            default -> Filter.track("x").fields(text);
        };
    }

    private static void refused(ThrowingCallable call, String sentence) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(sentence);
    }
}
