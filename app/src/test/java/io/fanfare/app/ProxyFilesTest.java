package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The files for nginx and Caddy fit the limits and the errors of Fanfare; {@link ProxyTest} runs both. */
class ProxyFilesTest {
    private static final Pattern NGINX_LIMIT = Pattern.compile("client_max_body_size (\\d+);");
    private static final Pattern CADDY_LIMIT = Pattern.compile("max_size (\\d+)");
    private static final Pattern CADDY_DECLARED = Pattern.compile("int\\(\\{header\\.Content-Length}\\) > (\\d+)`");
    private static final Pattern BODY = Pattern.compile("\\{\"error\".*?}");

    static String text(String file) throws IOException {
        return Files.readString(Path.of("../config/proxy", file));
    }

    @Test
    void bodiesMayBeAsLongAsFanfareReadsThemAndNoLonger() throws IOException {
        Settings settings = SettingsLoader.defaultsWith();
        long body = settings.http().bodyMaxBytes();
        long picture = settings.media().bytesMax();
        long profile = body + 2 * picture;
        long upload = body + picture + Math.max(picture, settings.media().videoBytesMax());
        assertThat(numbers(NGINX_LIMIT, "nginx.conf")).containsExactly(body, profile, upload);
        assertThat(numbers(CADDY_LIMIT, "Caddyfile")).containsExactly(profile, upload, body);
        assertThat(numbers(CADDY_DECLARED, "Caddyfile")).containsExactly(profile, upload, body);
    }

    @Test
    void answersOfTheProxyHaveTheFormOfErrors() throws IOException {
        for (String file : List.of("nginx.conf", "Caddyfile")) {
            List<String> bodies =
                    BODY.matcher(text(file)).results().map(MatchResult::group).toList();
            assertThat(bodies).as(file).hasSizeGreaterThanOrEqualTo(4);
            assertThat(bodies).as(file).allSatisfy(text -> {
                JsonObject error = new JsonObject(text);
                assertThat(error.fieldNames()).containsExactly("error");
                assertThat(error.getString("error")).matches("[A-Z].+\\.");
            });
        }
    }

    private static List<Long> numbers(Pattern pattern, String file) throws IOException {
        return pattern.matcher(text(file))
                .results()
                .map(found -> Long.valueOf(found.group(1)))
                .toList();
    }
}
