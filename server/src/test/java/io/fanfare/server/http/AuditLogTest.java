package io.fanfare.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Reason;
import io.fanfare.server.http.AuditLog.Subject;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class AuditLogTest {
    private static final Subject ANN = new Subject(42, "token-1", "client_1");
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Logger logger = (Logger) LoggerFactory.getLogger(AuditLines.LOGGER);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong();
    private Instant now = Instant.parse("2026-11-22T23:59:00Z");

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setAdditive(false);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
    }

    @Test
    void aLineHasTheSameFieldsInTheSameOrder() {
        AuditLog audit = audit("log.audit-addresses=full");
        audit.note(request("192.0.2.7", "abc-1"), Event.TOKEN_ISSUED, Reason.CODE_GRANT, ANN);
        audit.note(request("2001:db8::7", "abc-2"), Event.LOGIN_FAILED, Reason.UNKNOWN_NAME, Subject.NOBODY);

        assertThat(logged())
                .containsExactly(
                        "event=token-issued reason=code-grant account=42 token=token-1 app=client_1 address=192.0.2.7 request=abc-1",
                        "event=login-failed reason=unknown-name account=- token=- app=- address=2001:db8::7 request=abc-2");
    }

    @ParameterizedTest
    @CsvSource({"'a\nevent=x'", "'a b'", "a=b", "'\u202e'", "'{}'", "''"})
    void aForeignIdIsNotLogged(String text) {
        AuditLog audit = audit();
        audit.note(request("192.0.2.7", text), Event.TOKEN_REVOKED, new Subject(1, text, text));

        assertThat(logged().get(0))
                .matches("event=token-revoked reason=- account=1 token=- app=- address=[0-9a-f]{16} request=-");
    }

    @Test
    void anAddressHasOnePseudonymADayInEveryProcessAndAnotherWithAnotherKey() {
        String first = pseudonym(audit(), "192.0.2.7");

        assertThat(pseudonym(audit(), "192.0.2.7")).isEqualTo(first).doesNotContain("192.0.2.7", "c0000207");
        assertThat(pseudonym(audit(), "192.0.2.8")).isNotEqualTo(first);
        assertThat(pseudonym(audit(), "2001:db8::7")).isEqualTo(pseudonym(audit(), "2001:db8::8"));
        byte[] other = KEY.clone();
        other[0]++;
        assertThat(pseudonym(audit(other), "192.0.2.7")).isNotEqualTo(first);
        now = now.plus(Duration.ofMinutes(2));
        assertThat(pseudonym(audit(), "192.0.2.7")).as("the next day").isNotEqualTo(first);
    }

    @Test
    void aFloodOfStrangersIsBoundedCountedAndCrowdsNothingElseOut() {
        AuditLog audit = audit();
        HttpServerRequest stranger = request("192.0.2.7", "x");
        for (int i = 0; i < 10_000; i++) {
            audit.note(stranger, Event.LOGIN_FAILED, Reason.WRONG_PASSWORD, ANN);
        }
        assertThat(lines.list).hasSize(200);
        audit.note(stranger, Event.PASSWORD_CHANGED, ANN);
        assertThat(logged().get(200)).startsWith("event=password-changed");

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        for (int i = 0; i < 100; i++) {
            audit.note(stranger, Event.LOGIN_FAILED, Reason.WRONG_PASSWORD, ANN);
        }
        assertThat(logged().get(201)).isEqualTo("event=left-out lines=9800");
        assertThat(lines.list)
                .as("ten more, and the line that says how many are missing")
                .hasSize(201 + 11);
        assertThat(metrics.get("fanfare.audit.events")
                        .tag("event", "login-failed")
                        .counter()
                        .count())
                .isEqualTo(10_100);
        assertThat(metrics.get("fanfare.audit.left.out").counter().count()).isEqualTo(9_800 + 90);
    }

    @Test
    void actionsOfOperatorsAreNeverLeftOut() {
        AuditLines own = new AuditLines(
                SettingsLoader.defaultsWith(), SigningKeys.of(KEY), metrics, () -> now, nanos::get, List.of("acted"));
        for (int i = 0; i < 1000; i++) {
            own.write("acted", AuditLines.Bound.STRANGERS, () -> "by=stranger");
            own.write("acted", AuditLines.Bound.NONE, () -> "by=operator");
        }
        assertThat(logged()).filteredOn("event=acted by=stranger"::equals).hasSize(200);
        assertThat(logged()).filteredOn("event=acted by=operator"::equals).hasSize(1000);
    }

    private String pseudonym(AuditLog audit, String address) {
        audit.note(request(address, "x"), Event.LOGIN_SUCCEEDED, ANN);
        List<String> all = logged();
        return all.get(all.size() - 1).replaceAll(".* address=(\\S+) .*", "$1");
    }

    private List<String> logged() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private AuditLog audit(String... assignments) {
        return audit(KEY, assignments);
    }

    private AuditLog audit(byte[] key, String... assignments) {
        return new AuditLog(
                SettingsLoader.defaultsWith(assignments), SigningKeys.of(key), metrics, () -> now, nanos::get);
    }

    /** As far as the log looks at it. */
    private static HttpServerRequest request(String address, String requestId) {
        MultiMap answered = MultiMap.caseInsensitiveMultiMap().set(CommonHandlers.REQUEST_ID, requestId);
        HttpServerResponse response = stub(HttpServerResponse.class, "headers", answered);
        MultiMap none = MultiMap.caseInsensitiveMultiMap();
        SocketAddress peer = SocketAddress.inetSocketAddress(4711, address);
        return (HttpServerRequest) Proxy.newProxyInstance(
                AuditLogTest.class.getClassLoader(),
                new Class<?>[] {HttpServerRequest.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "remoteAddress" -> peer;
                    case "headers" -> none;
                    case "response" -> response;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static <T> T stub(Class<T> type, String name, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                AuditLogTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals(name)) {
                        return answer;
                    }
                    throw new UnsupportedOperationException(method.getName());
                }));
    }
}
