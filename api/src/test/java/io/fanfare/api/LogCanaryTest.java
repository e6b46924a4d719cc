package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Passwords, secrets, tokens and message texts are planted everywhere, everything is logged, and none of them may turn
 * up.
 */
class LogCanaryTest {
    private static final String PASSWORD = "canary-password-4711";
    private static final String TEXT = "canary-text-4712";
    private static final String NAME = "canary-name-4714";
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
    void logsContainNoSecretsEvenWhenThingsFail() {
        Logger root = (Logger) LoggerFactory.getLogger("io.fanfare");
        Logger audit = (Logger) LoggerFactory.getLogger("fanfare.audit");
        Level before = root.getLevel();
        Lines log = new Lines();
        log.start();
        root.addAppender(log);
        audit.addAppender(log);
        root.setLevel(Level.TRACE);
        List<String> secrets = List.of();
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF);
                ApiServer api = new ApiServer(redis)) {
            secrets = live(api, redis);
        } finally {
            root.detachAppender(log);
            audit.detachAppender(log);
            root.setLevel(before);
        }
        assertThat(log.lines).anyMatch(line -> line.startsWith("event=login-failed"));
        assertThat(log.lines).anyMatch(line -> line.startsWith("event=code-replayed"));
        for (String secret : secrets) {
            assertThat(log.lines).noneMatch(line -> line.contains(secret));
        }
    }

    /** Uses everything, well and badly, with and without Redis. Answers what must not be logged. */
    private static List<String> live(ApiServer api, TestRedis redis) {
        Response app =
                api.post("/api/v1/apps", null, "client_name", NAME, "redirect_uris", "urn:ietf:wg:oauth:2.0:oob");
        String secret = app.text("/client_secret");
        String token = signUp(api, "ann").text("/access_token");
        logIn(api, app, PASSWORD);
        logIn(api, app, PASSWORD + "x");
        assertThat(api.logIn(app, NAME, PASSWORD).status()).isEqualTo(400);
        post(api, token);
        post(api, token + "x");
        String code = code(api, app);
        String byCode = exchange(api, app, code).text("/access_token");
        assertThat(exchange(api, app, code).status()).isEqualTo(400);
        changePassword(api, token, PASSWORD + "x", PASSWORD);
        changePassword(api, token, PASSWORD, PASSWORD + "-new");
        changePassword(api, token, PASSWORD + "-new", PASSWORD);
        redis.server().kill();
        post(api, token);
        logIn(api, app, PASSWORD);
        assertThat(signUp(api, "bob").status()).isEqualTo(503);
        return List.of(
                PASSWORD, TEXT, WARNING, NAME, secret, code, byCode, token, token.substring(token.lastIndexOf('.')));
    }

    private static String code(ApiServer api, Response app) {
        String query = "response_type=code&redirect_uri=urn:ietf:wg:oauth:2.0:oob&state=" + TEXT + "&client_id="
                + app.text("/client_id");
        Response form = api.get("/oauth/authorize?" + query, null);
        String secret = found("name=\"form_token\" value=\"(\\w+)\"", form.body());
        Response shown = api.send(
                "POST",
                "/oauth/authorize",
                null,
                "application/x-www-form-urlencoded",
                query + "&decision=approve&username=ann&password=" + PASSWORD + "&form_token=" + secret,
                "Cookie",
                form.header("Set-Cookie").orElseThrow().split(";", 2)[0]);
        return found("<code>([\\w-]{43})</code>", shown.body());
    }

    private static String found(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    private static Response exchange(ApiServer api, Response app, String code) {
        String redirect = "urn:ietf:wg:oauth:2.0:oob";
        return api.token(app, "grant_type", "authorization_code", "code", code, "redirect_uri", redirect);
    }

    private static void changePassword(ApiServer api, String token, String current, String wanted) {
        Response answer = api.post("/api/v1/accounts/password", token, "current_password", current, "password", wanted);
        assertThat(answer.body()).doesNotContain(current);
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
