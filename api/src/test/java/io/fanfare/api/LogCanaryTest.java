package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.common.embedded.RedisProcess.AppendSync;
import io.fanfare.common.testing.TestRedis;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Passwords, secrets, tokens and message texts are planted everywhere, everything is logged, and none of them may turn up. */
class LogCanaryTest {
    private static final String PASSWORD = "canary-password-4711";
    private static final String TEXT = "canary-text-4712";
    private static final String WARNING = "canary-warning-4713";

    /** Keeps what is logged. */
    private static final class Lines extends AppenderBase<ILoggingEvent> {
        final Queue<String> lines = new ConcurrentLinkedQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage() + " " + ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
    }

    @Test
    void logsTellNoSecretsEvenWhenThingsFail() {
        Logger root = (Logger) LoggerFactory.getLogger("io.fanfare");
        Level before = root.getLevel();
        Lines log = new Lines();
        log.start();
        root.addAppender(log);
        root.setLevel(Level.TRACE);
        List<String> secrets = List.of();
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF);
                ApiServer api = new ApiServer(redis)) {
            secrets = live(api, redis);
        } finally {
            root.detachAppender(log);
            root.setLevel(before);
        }
        assertThat(log.lines).isNotEmpty();
        for (String secret : secrets) {
            assertThat(log.lines).noneMatch(line -> line.contains(secret));
        }
    }

    /** Uses everything, well and badly, with and without Redis. Answers what must not be logged. */
    private static List<String> live(ApiServer api, TestRedis redis) {
        Response app = api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "urn:ietf:wg:oauth:2.0:oob");
        String secret = app.text("/client_secret");
        String token = signUp(api, "ann").text("/access_token");
        logIn(api, app, PASSWORD);
        logIn(api, app, PASSWORD + "x");
        post(api, token);
        post(api, token + "x");
        redis.server().kill();
        post(api, token);
        logIn(api, app, PASSWORD);
        assertThat(signUp(api, "bob").status()).isEqualTo(503);
        return List.of(PASSWORD, TEXT, WARNING, secret, token, token.substring(token.lastIndexOf('.')));
    }

    private static Response signUp(ApiServer api, String name) {
        String email = name + "@example.org";
        return api.post(
                "/api/v1/accounts", null, "username", name, "email", email, "password", PASSWORD, "agreement", "1");
    }

    private static void logIn(ApiServer api, Response app, String password) {
        assertThat(api.logIn(app, "ann", password).body()).doesNotContain(password);
    }

    private static void post(ApiServer api, String token) {
        Response answer = api.post("/api/v1/statuses?x=" + TEXT, token, "status", TEXT, "spoiler_text", WARNING);
        assertThat(answer.body()).doesNotContain(token);
    }
}
