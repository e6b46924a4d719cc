package io.fanfare.common.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fanfare.redis.RedisOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @TempDir
    Path dir;

    @Test
    void everySettingStandsInTheAnnotatedFileAndNothingElseDoes() {
        List<String> inTheFile = List.copyOf(SettingsLayer.defaults().values().keySet());

        assertThat(inTheFile)
                .containsExactlyElementsOf(
                        Setting.all().stream().map(Setting::key).toList());
    }

    @Test
    void joiningProcessesShareWhatDiffersAndIsNotTheirOwn() {
        SettingsLayer set = SettingsLayer.flags(List.of(
                "auth.signing-key=" + "k".repeat(32),
                "feeds.home-max=500",
                "feeds.home-slack=400",
                "redis.mode=cluster",
                "http.port=0",
                "management.port=9090",
                "worker.loops=2",
                "log.level=DEBUG"));

        assertThat(SettingsLoader.shared(List.of(SettingsLayer.defaults(), set)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "auth.signing-key", "k".repeat(32),
                        "feeds.home-max", "500",
                        "redis.mode", "cluster"));
    }

    @Test
    void aBucketIsSetWholeOrNotAtAllAndItsSecretIsNotShown() {
        List<String> whole = List.of(
                "media.s3.endpoint=https://s3.example.org",
                "media.s3.bucket=my-pictures",
                "media.s3.access-key=access",
                "media.s3.secret-key=do not tell");
        Settings.Media media =
                SettingsLoader.defaultsWith(whole.toArray(String[]::new)).media();

        assertThat(media.isOffered()).isTrue();
        assertThat(media.s3().base()).isEqualTo("https://s3.example.org/my-pictures");
        assertThat(media.toString()).doesNotContain("do not tell");
        assertThat(SettingsLoader.explain(List.of(SettingsLayer.defaults(), SettingsLayer.flags(whole))))
                .noneMatch(effective -> effective.text().contains("do not tell"));
        for (String left : whole) {
            String[] others = whole.stream().filter(each -> !each.equals(left)).toArray(String[]::new);
            assertThatThrownBy(() -> SettingsLoader.defaultsWith(others))
                    .as(left)
                    .hasMessageContaining("go together");
        }
    }

    @Test
    void aBucketMayStandBeforeItsHost() {
        Settings.S3 bucket = SettingsLoader.defaultsWith(
                        "media.s3.endpoint=http://127.0.0.1:9000",
                        "media.s3.bucket=my-pictures",
                        "media.s3.access-key=access",
                        "media.s3.secret-key=secret",
                        "media.s3.path-style=false",
                        "media.s3.public-url=https://cdn.example.org/a/b")
                .media()
                .s3();

        assertThat(bucket.base()).isEqualTo("http://my-pictures.127.0.0.1:9000");
        assertThat(bucket.publicOrigin()).isEqualTo("https://cdn.example.org");
    }

    @Test
    void processLocalSettingsExist() {
        List<String> keys = Setting.all().stream().map(Setting::key).toList();

        assertThat(SettingsLoader.PROCESS_LOCAL)
                .allSatisfy(start -> assertThat(keys).anyMatch(key -> key.equals(start) || key.startsWith(start)));
    }

    @Test
    void everyNumberAndDurationHasARange() {
        assertThat(Setting.all())
                .filteredOn(setting ->
                        setting.type() == int.class || setting.type() == long.class || setting.type() == Duration.class)
                .allSatisfy(
                        setting -> assertThat(setting.range()).as(setting.key()).isNotNull());
    }

    /** "1 to 64" in a comment must be what is checked. */
    @Test
    void theAnnotatedFileStatesTheRangesThatAreChecked() throws IOException {
        Map<String, String> comments = comments();

        assertThat(Setting.all()).filteredOn(setting -> setting.range() != null).allSatisfy(setting -> {
            String comment = comments.get(setting.key());
            List<String> bounds = setting.type() == Duration.class
                    ? List.of(Setting.spell(setting.range().min()) + " to "
                            + Setting.spell(setting.range().max()))
                    : List.of(setting.range().min() + " to " + setting.range().max());
            assertThat(comment).as(setting.key()).contains(bounds);
        });
    }

    @Test
    void theDefaultsAreAsTheyAreDocumented() {
        Settings defaults = SettingsLoader.defaultsWith();

        assertThat(defaults.http().port()).isEqualTo(8080);
        assertThat(defaults.http().host()).isEqualTo("127.0.0.1");
        assertThat(defaults.queue().beat()).isEqualTo(Duration.ofMillis(2500));
        assertThat(defaults.redis().mode()).isEqualTo(RedisOptions.Mode.STANDALONE);
        assertThat(defaults.redis().url().isSet()).isFalse();
        assertThat(defaults.limits().enabled()).isTrue();
    }

    @Test
    void aLaterSourceWinsOverAnEarlierOne() throws IOException {
        Path file = file("""
                feeds:
                  home-max: 300
                  home-slack: 30
                  outbox-max: 3
                """);
        Settings settings = SettingsLoader.load(List.of(
                SettingsLayer.defaults(),
                SettingsLayer.file(file),
                SettingsLayer.environment(
                        Map.of("FANFARE_FEEDS_HOME_MAX", "400", "FANFARE_FEEDS_HOME_SLACK", "40", "PATH", "/bin")),
                SettingsLayer.flags(List.of("feeds.home-max=500"))));

        assertThat(settings.feeds().homeMax()).isEqualTo(500);
        assertThat(settings.feeds().homeSlack()).isEqualTo(40);
        assertThat(settings.feeds().outboxMax()).isEqualTo(3);
        assertThat(settings.feeds().fanOutPage()).isEqualTo(1000);
    }

    @ParameterizedTest
    @CsvSource({"250ms, 250", "10s, 10000", "2m, 120000"})
    void durationsHaveAUnit(String text, long millis) {
        assertThat(SettingsLoader.defaultsWith("worker.drain-timeout=" + text)
                        .worker()
                        .drainTimeout()
                        .toMillis())
                .isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "feeds.home-max=0          | feeds.home-max: '0' (the command line) is not possible; possible is a whole number from 1 to 10000",
                "feeds.home-max=10001      | possible is a whole number from 1 to 10000",
                "feeds.home-max=many       | feeds.home-max: 'many'",
                "feeds.home-max=9999999999 | possible is a whole number from 1 to 10000",
                "feeds.home-max=           | feeds.home-max: ''",
                "queue.lease=10            | possible is a duration from 100ms to 10m",
                "queue.lease=1h            | possible is a duration from 100ms to 10m",
                "queue.lease=-1s           | queue.lease: '-1s'",
                "limits.enabled=yes        | possible is true or false",
                "management.start-max=4s   | management.start-max must be 0ms or at least 5s",
                "management.start-max=0ms  | OK",
                "redis.mode=ring           | possible is standalone or sentinel or cluster",
                "redis.mode=sentinel       | redis.sentinels must name the sentinels, since redis.mode is sentinel",
                "redis.sentinels=h:26379   | redis.sentinels is used with redis.mode: sentinel only",
                "log.level=LOUD            | log.level must be one of",
                "redis.shards=24           | redis.shards must be a power of two",
                "mail.host=a b             | mail.host must be empty, a host name or an address",
                "mail.host=h               | mail.from must be an e-mail address where mail.host is set",
                "mail.from=a@b c           | mail.from must be an e-mail address",
                "mail.username=u           | mail.username and mail.password must be set together",
                "queue.beat=5s             | queue.beat must be shorter than half of queue.lease",
                "queue.retry-base=1m       | OK",
                "queue.retry-max=100ms     | queue.retry-base must not be longer than queue.retry-max",
                "http.idle-timeout=20s     | http.idle-timeout must be longer than twice stream.heartbeat",
                "http.public-url=example.org   | http.public-url must be empty",
                "http.public-url=https://a.b/  | http.public-url must be empty",
                "http.public-url=https://a.b/c | OK",
                "http.trusted-proxies=127.0.0.1, 10.0.0.0/8 fd00::/8 | OK",
                "http.trusted-proxies=localhost    | http.trusted-proxies must be empty",
                "http.trusted-proxies=10.0.0.0/33  | http.trusted-proxies must be empty",
                "http.trusted-proxies=10.0.0.0/x   | http.trusted-proxies must be empty",
                "auth.previous-signing-keys=0123456789abcdef0123456789abcdef, stored | OK",
                "auth.previous-signing-keys=0123456789abcdef0123456789abcdef, and, short | auth.previous-signing-keys: key 2 of 3 has 3 characters",
                "auth.previous-signing-keys=0123456789abcdef0123456789abcdef% | auth.previous-signing-keys: key 1 of 1 has a % that is not followed by two hexadecimal digits",
                "auth.previous-signing-keys=stored stored stored stored stored stored stored stored stored stored stored | auth.previous-signing-keys has 11 keys, at most 10",
                "auth.reserved-usernames=acme, -admin | OK",
                "auth.reserved-usernames=Acme | auth.reserved-usernames must be at most 1000 user names in lower case",
                "http.per-address-max=1000 | http.per-address-max must be larger than stream.per-address-max",
                "limits.rates.requests=0   | limits.rates.requests: '0'",
                "redis.namespace=site-2.example_org | OK",
                "redis.namespace=a{b}      | redis.namespace must have 1 to 32 of a-z, 0-9, dot, hyphen and underscore",
                "redis.namespace=          | redis.namespace must have 1 to 32 of a-z, 0-9, dot, hyphen and underscore",
                "redis.namespace=fan*      | redis.namespace must have 1 to 32 of a-z, 0-9, dot, hyphen and underscore",
                "redis.url=localhost:6379  | redis.url must read redis://",
                "redis.url=redis://:a%40b@h:1/0 | OK",
                "redis.url=rediss://app:a%40b@h:1,i,[::1]:7/0 | OK",
                "redis.url=redis://h:1, i:2 | redis.url must read redis://",
                "feeds.home-mx=5           | feeds.home-mx (the command line) is no setting; did you mean feeds.home-max?",
                "zzz=5                     | zzz (the command line) is no setting",
                "feeds                     | --set feeds is no assignment",
            })
    void impossibleValuesAreReportedWithKeyValueAndRange(String assignment, String problem) {
        if (problem.equals("OK")) {
            assertThat(SettingsLoader.defaultsWith(assignment)).isNotNull();
            return;
        }
        assertThatThrownBy(() -> load(SettingsLayer.flags(List.of(assignment))))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining(problem);
    }

    @Test
    void whereTlsIsSpokenTheAddressSaysSo() {
        String[] tls = {"http.tls.certificate=a.pem", "http.tls.key=b.pem", "http.public-url=http://a.b"};
        assertThatThrownBy(() -> load(SettingsLayer.flags(List.of(tls))))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("http.public-url must begin with https:// where http.tls is set");
        tls[2] = "http.public-url=https://a.b";
        assertThat(SettingsLoader.defaultsWith(tls).http().tls().isSet()).isTrue();
    }

    @Test
    void allProblemsOfAllSourcesAreReportedAtOnce() throws IOException {
        Path file = file("""
                feeds:
                  home-max: 0
                stream:
                  heart: 3s
                list:
                  - 1
                """);
        InvalidSettings invalid = catchThrowableOfType(
                InvalidSettings.class,
                () -> load(
                        SettingsLayer.file(file),
                        SettingsLayer.environment(Map.of(
                                "FANFARE_FEED_HOME_MAX", "5", "FANFARE_JAVA_OPTS", "-Xmx1g", "FANFARE_RESTART", "no")),
                        SettingsLayer.flags(List.of("queue.lease=never"))));

        assertThat(invalid.problems()).hasSize(5);
        assertThat(invalid)
                .hasMessageContaining("feeds.home-max: '0' (" + file + ", line 2)")
                .hasMessageContaining("stream.heart (" + file + ", line 4) is no setting")
                .hasMessageContaining("line 6: a list")
                .hasMessageContaining("FANFARE_FEED_HOME_MAX is no setting; did you mean FANFARE_FEEDS_HOME_MAX?")
                .hasMessageContaining("queue.lease: 'never'");
    }

    @Test
    void aMissingFileADuplicateKeyAndInvalidYamlAreReported() throws IOException {
        Path twice = file("feeds:\n  home-max: 5\n  home-max: 6\n");

        assertThatThrownBy(() -> load(SettingsLayer.file(dir.resolve("none.yaml"))))
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> load(SettingsLayer.file(twice))).isInstanceOf(InvalidSettings.class);
        assertThatThrownBy(() -> load(SettingsLayer.file(file("feeds: [")))).hasMessageContaining("is not YAML");
        assertThatThrownBy(() -> load(SettingsLayer.file(file("just words")))).hasMessageContaining("key: value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing\n", "feeds:\n  # home-max: 5\n"})
    void aFileMaySayNothing(String text) throws IOException {
        assertThat(load(SettingsLayer.file(file(text))).feeds().homeMax()).isEqualTo(1000);
    }

    @Test
    void secretsAreNeverShown() {
        List<SettingsLayer> layers = List.of(
                SettingsLayer.defaults(),
                SettingsLayer.environment(Map.of("FANFARE_REDIS_URL", "redis://:canary@127.0.0.1:1")));

        assertThat(SettingsLoader.load(layers).toString()).doesNotContain("canary");
        assertThat(SettingsLoader.explain(layers)).anySatisfy(line -> {
            assertThat(line.key()).isEqualTo("redis.url");
            assertThat(line.text()).isEqualTo("***");
            assertThat(line.place()).contains("FANFARE_REDIS_URL");
        });
        assertThatThrownBy(() -> load(SettingsLayer.flags(List.of(
                        "redis.url=canary@x", "auth.signing-key=canary", "auth.previous-signing-keys=canary%"))))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageNotContaining("canary");
    }

    @Test
    void previousKeysMayHoldAnythingAndAreNamedOnce() {
        Settings.Auth auth = SettingsLoader.defaultsWith(
                        "auth.signing-key=the key of today, with 100 % more characters",
                        "auth.previous-signing-keys=a%20key%20with%20+%2C%20no%20end%2C%20and%2025%20%25%20more,"
                                + " the%20key%20of%20today%2C%20with%20100%20%25%20more%20characters stored")
                .auth();

        assertThat(auth.keys())
                .containsExactly(
                        "the key of today, with 100 % more characters",
                        "a key with +, no end, and 25 % more", "stored");
    }

    private static Settings load(SettingsLayer... later) {
        List<SettingsLayer> layers = new ArrayList<>(List.of(SettingsLayer.defaults()));
        layers.addAll(List.of(later));
        return SettingsLoader.load(layers);
    }

    /** The parser names the line before, or what it was about to do. */
    @Test
    void aTabIsNamedWithItsLineAndColumn() throws IOException {
        Map<String, String> places = Map.of(
                "feeds:\n\thome-max: 5\n", "line 2, column 1",
                "feeds:\n  home-max: 5\n\tpage: 3\n", "line 3, column 1",
                "feeds:\n  home-max:\t5\n", "line 2, column 12",
                "feeds:\n  home-max: 5\n  \tpage: 3\n", "line 3, column 3",
                "\n\tfeeds:\n", "line 2, column 1");
        for (Map.Entry<String, String> each : places.entrySet()) {
            Path file = file(each.getKey());
            assertThatThrownBy(() -> load(SettingsLayer.file(file)))
                    .as(each.getKey())
                    .hasMessageContaining(file + " is not YAML: " + each.getValue()
                            + ": there is a TAB, which YAML does not allow there; write spaces instead");
        }
        assertThat(load(SettingsLayer.file(file("feeds:\n  home-max: 900\t# the tab is before a comment\n")))
                        .feeds()
                        .homeMax())
                .isEqualTo(900);
    }

    @Test
    void aFileThatIsNotYamlIsNamedWithTheLineThatIsWrong() throws IOException {
        Path indented = file("feeds:\n  home-max: 500\n outbox-max: 100\n");
        assertThatThrownBy(() -> load(SettingsLayer.file(indented)))
                .hasMessageContaining("line 3, column 2: expected <block end>")
                .hasMessageContaining("two spaces indent a setting under its group");
        Path sign = file("redis:\n  url: @home\n");
        assertThatThrownBy(() -> load(SettingsLayer.file(sign)))
                .hasMessageContaining("line 2, column 8: found character '@'")
                .hasMessageContaining("a value with special signs needs quotes");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("fanfare.yaml"), text);
    }

    /** The comment block above each key, lines joined. Keys that stand together share one. */
    private static Map<String, String> comments() throws IOException {
        Map<String, String> comments = new LinkedHashMap<>();
        String group = "";
        String subgroup = "";
        StringBuilder comment = new StringBuilder();
        for (String line : Files.readAllLines(Path.of("../config/fanfare.yaml"))) {
            String text = line.strip();
            if (text.startsWith("#")) {
                comment.append(text.substring(1)).append(' ');
            } else if (text.isEmpty()) {
                comment.setLength(0);
            } else if (!line.startsWith(" ")) {
                group = text.substring(0, text.indexOf(':')) + ".";
            } else if (text.endsWith(":")) {
                subgroup = text.substring(0, text.indexOf(':')) + ".";
            } else {
                comments.put(
                        group + (line.startsWith("    ") ? subgroup : "") + text.substring(0, text.indexOf(':')),
                        comment.toString().replaceAll(" +", " "));
            }
        }
        return comments;
    }

    @Test
    void aMailServerNeedsAnAddressOfTheSiteEncryptionForItsPasswordAndTimeWithinALease() {
        List<String> mail = List.of("mail.host=h", "mail.from=a@b.org", "http.public-url=https://b.org");
        assertThat(SettingsLoader.defaultsWith(mail.toArray(String[]::new))
                        .mail()
                        .isOn())
                .isTrue();

        assertRefused(mail.subList(0, 2), "http.public-url must be set where mail.host is");
        assertRefused(with(mail, "mail.username=u", "mail.password=p", "mail.tls=off"), "mail.tls must be starttls");
        assertRefused(with(mail, "queue.lease=1s", "queue.beat=100ms"), "mail.timeout must not be longer");
        assertThat(SettingsLoader.defaultsWith(with(mail, "mail.username=u", "mail.password=secret-of-mail")
                                .toArray(String[]::new))
                        .toString())
                .doesNotContain("secret-of-mail");
    }

    private static List<String> with(List<String> first, String... more) {
        return Stream.concat(first.stream(), Stream.of(more)).toList();
    }

    private static void assertRefused(List<String> assignments, String problem) {
        assertThatThrownBy(() -> load(SettingsLayer.flags(assignments)))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining(problem);
    }
}
