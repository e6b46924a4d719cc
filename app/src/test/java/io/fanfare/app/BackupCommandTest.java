package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.keyspace.ServiceUser;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.BackupStamp;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Meta;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.Command;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestCertificate;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.RuntimeFile;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** {@code fanfare backup} and {@code restore}: on a Redis of the operator's, and with files that will not do. */
@Timeout(240)
class BackupCommandTest {
    private static final Vertx vertx = Vertx.vertx();

    @TempDir
    Path dir;

    private Path file;
    private Path data;

    @BeforeEach
    void paths() {
        file = dir.resolve("backup");
        data = dir.resolve("restored");
    }

    @Test
    void aFileOfWhichAnyByteIsMissingOrAnotherIsRefusedBeforeAnythingIsWritten() throws IOException {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        succeeds(backup(redis));
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(7);
        for (int i = 0; i < 40; i++) {
            byte[] altered = whole.clone();
            altered[i < 4 ? whole.length - 1 - i * 40 : random.nextInt(whole.length)] ^= (byte) (1 << (i % 8));
            refused(altered);
        }
        for (int length : List.of(0, 1, 100, whole.length / 2, whole.length - 1)) {
            refused(Arrays.copyOf(whole, length));
        }
        refused(Arrays.copyOf(whole, whole.length + 1));
        refused("PK and so on, a file of somebody else's ".repeat(20).getBytes(StandardCharsets.US_ASCII));
        CommandRun none = CommandRun.of(List.of("restore", "nothing", "--data", data.toString()));
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.err()).contains("there is no file nothing");
    }

    private void refused(byte[] bytes) throws IOException {
        Path bad = Files.write(dir.resolve("bad"), bytes);
        CommandRun run = CommandRun.of(List.of("restore", bad.toString(), "--data", data.toString()));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains("is no whole backup, nothing was written")
                .doesNotContain("Exception");
        assertThat(data).doesNotExist();
    }

    /** The checksum is no signature: anybody can make one. */
    @Test
    void partsThatNoServiceCouldUseAreRefusedAndNothingIsLeft() throws Exception {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        succeeds(backup(redis));
        assertThat(Files.getPosixFilePermissions(file))
                .as("the keys in it are for its owner")
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        byte[] garbage = "no database, and no key".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        refusedWith("archive.db", "archive_part", garbage, "the archive in the backup will not do: it is no database");
        refusedWith(
                "signing-key",
                "key",
                "short".getBytes(StandardCharsets.US_ASCII),
                "signing-key will not do: auth.signing-key must be at least 32 characters long");
        refusedWith("signing-key", "key", garbage, "its signing key has " + garbage.length + " bytes");
    }

    private void refusedWith(String name, String inManifest, byte[] part, String why) throws Exception {
        Path forged = forged(name, inManifest, part);
        CommandRun run = CommandRun.of(List.of("restore", forged.toString(), "--data", data.toString()));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains(why).doesNotContain("Exception").doesNotContain("\tat ");
        assertThat(Files.exists(data) ? list(data) : List.of()).isSubsetOf("lock");
    }

    @Test
    void dataOfANewerFormatIsRefusedBeforeAnythingIsWritten() throws Exception {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        succeeds(backup(redis));
        try (ZipFile zip = new ZipFile(file.toFile())) {
            byte[] manifest = zip.getInputStream(zip.getEntry("manifest.json")).readAllBytes();
            assertThat(new JsonObject(new String(manifest, StandardCharsets.UTF_8)).getInteger("data_format"))
                    .isEqualTo(2);
        }
        Path forged = forged(manifest -> manifest.put("data_format", 3).put("fanfare", "9.9.9"), Map.of());
        CommandRun run = CommandRun.of(List.of("restore", forged.toString(), "--data", data.toString()));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains("the data of the backup has format 3, made by Fanfare 9.9.9; this is Fanfare development,"
                        + " which reads format 2: run Fanfare 9.9.9 or a newer one")
                .doesNotContain("\tat ");
        assertThat(data).doesNotExist();
    }

    @Test
    void aBackupOfKeysWithoutANamespaceIsRefusedBeforeAnythingIsWritten() throws Exception {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        succeeds(backup(redis));
        Path former = forged(
                manifest -> {
                    manifest.put("data_format", 1).put("fanfare", "0.1.0").remove("namespace");
                    return manifest;
                },
                Map.of());
        CommandRun run = CommandRun.of(List.of("restore", former.toString(), "--data", data.toString()));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "the data of the backup has format 1, made by Fanfare 0.1.0; this is Fanfare development,"
                                + " which reads format 2: run Fanfare 0.1.0, or begin with an empty Redis and another data folder")
                .doesNotContain("\tat ");
        assertThat(data).doesNotExist();
    }

    /** The backup with one part more, and a checksum that is right. */
    private Path forged(String name, String inManifest, byte[] part) throws Exception {
        JsonObject declared =
                new JsonObject().put("name", name).put("bytes", part.length).put("sha256", sha256(part));
        return forged(manifest -> manifest.put(inManifest, declared), Map.of(name, part));
    }

    /** The backup with another manifest and more parts, and a checksum that is right. */
    private Path forged(UnaryOperator<JsonObject> change, Map<String, byte[]> more) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipFile from = new ZipFile(file.toFile());
                ZipOutputStream to = new ZipOutputStream(bytes)) {
            for (ZipEntry entry : Collections.list(from.entries())) {
                byte[] content = from.getInputStream(entry).readAllBytes();
                if (entry.getName().equals("manifest.json")) {
                    JsonObject manifest = change.apply(new JsonObject(new String(content, StandardCharsets.UTF_8)));
                    content = manifest.encode().getBytes(StandardCharsets.UTF_8);
                }
                to.putNextEntry(new ZipEntry(entry.getName()));
                to.write(content);
            }
            for (Map.Entry<String, byte[]> part : more.entrySet()) {
                to.putNextEntry(new ZipEntry(part.getKey()));
                to.write(part.getValue());
            }
            to.setComment(from.getComment().substring(0, from.getComment().length() - 64) + "0".repeat(64));
        }
        byte[] whole = bytes.toByteArray();
        byte[] digest = sha256(Arrays.copyOf(whole, whole.length - 64)).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digest, 0, whole, whole.length - 64, 64);
        return Files.write(dir.resolve("forged"), whole);
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void theFileIsCheckedByACommandThatEverybodyHas() throws Exception {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        succeeds(backup(redis));
        Process shell = new ProcessBuilder(
                        "sh",
                        "-c",
                        "test \"$(head -c -64 \"$1\" | sha256sum | cut -c -64)\" = \"$(tail -c 64 \"$1\")\"",
                        "sh",
                        file.toString())
                .start();
        assertThat(shell.waitFor()).isZero();
    }

    @Test
    void aFolderWithDataIsNotRestoredIntoNorIsABackupOverwritten() throws IOException {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        succeeds(backup(redis));
        Files.createDirectories(data);
        Files.writeString(data.resolve("signing-key"), "mine");

        CommandRun restore = restore();
        assertThat(restore.status()).isEqualTo(1);
        assertThat(restore.err()).contains(data + " is not empty, nothing was written");
        assertThat(list(data)).containsExactly("signing-key");
        assertThat(data.resolve("signing-key")).hasContent("mine");

        byte[] first = Files.readAllBytes(file);
        CommandRun again = backup(redis);
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.err()).contains("is there already: choose another name");
        assertThat(Files.readAllBytes(file)).isEqualTo(first);
    }

    @Test
    void nothingIsStartedOnARestoreThatWasCutOff() throws Exception {
        Files.createDirectories(data);
        Files.createFile(data.resolve("restore-incomplete"));
        try (FanfareProcess up = FanfareProcess.start(data, "up", "--port", "0")) {
            assertThat(up.awaitExit(Duration.ofSeconds(60))).isEqualTo(1);
            assertThat(up.output()).contains("was cut off", "run fanfare restore again");
        }
    }

    @Test
    void theMastersOfAClusterBecomeOneServerAndHomesAreRebuilt() {
        TestRedis cluster = TestRedis.cluster();
        List<Long> ids = people(cluster);
        TestRedis.askIn(cluster.serverOf(Keys.BUS_EPOCH), "SET", Keys.BUS_EPOCH, "0ld0ld00");
        long keys = cluster.servers().stream()
                .mapToLong(server -> TestRedis.ask(server, "DBSIZE").asLong())
                .sum();
        CommandRun backup = backup(cluster);
        succeeds(backup);
        assertThat(backup.out()).contains("several servers: run `fanfare admin verify --repair`");
        CommandRun restore = restore("--json");
        succeeds(restore);
        // After the log lines of this process.
        String epoch = new JsonObject(restore.out().substring(restore.out().indexOf('{'))).getString("epoch");

        try (RedisProcess server = RedisProcess.start(RedisProcess.Options.in(data.resolve("redis")))) {
            // Generations of homes and the parts of the log are new.
            assertThat(TestRedis.ask(server, "DBSIZE").asLong()).isBetween(keys + 16, keys + 18);
            assertThat(TestRedis.askIn(server, "GET", Keys.homeGeneration(3)).asString())
                    .isEqualTo("1");
            assertThat(TestRedis.askIn(server, "GET", Keys.BUS_EPOCH).asString())
                    .isEqualTo(epoch)
                    .isNotEqualTo("0ld0ld00");
            assertThat(TestRedis.askIn(server, "ZCARD", Keys.following(ids.get(0)))
                            .asLong())
                    .isEqualTo(1);
            CommandRun verify = CommandRun.of(List.of(
                    "admin", "verify", "--set", "redis.url=" + server.url().reveal()));
            assertThat(verify.status()).as(verify.out()).isZero();
        }
        assertThat(list(data)).containsExactlyInAnyOrder("format.yaml", "lock", "redis");
    }

    @Test
    void overTlsTheDataIsTheSameAndAServerThatNobodyVouchesForGetsNoPassword() throws Exception {
        TestCertificate certificate = TestCertificate.in(dir);
        int port = FreePort.find();
        try (TestRedis own = TestRedis.freshStandalone(
                AppendSync.OFF,
                "tls-port " + port,
                "tls-auth-clients no",
                "tls-cert-file " + certificate.certificate(),
                "tls-key-file " + certificate.key())) {
            List<Long> ids = people(own);
            String plain = own.server().url().reveal();
            String tls = plain.replaceFirst("^redis:", "rediss:").replaceFirst(":\\d+$", ":" + port);
            String[] arguments = {file.toString(), "--set", "redis.url=" + tls};
            CommandRun stranger = CommandRun.of(Stream.concat(
                            Stream.of("backup", "--data", dir.resolve("none").toString()), Stream.of(arguments))
                    .toList());
            assertThat(stranger.status()).isEqualTo(1);
            assertThat(stranger.err()).contains("Redis does not answer").doesNotContain("Exception");
            assertThat(file).doesNotExist();
            String trust = "-Djavax.net.ssl.trustStore=" + certificate.trust();
            try (FanfareProcess backup =
                    FanfareProcess.withJavaOption(trust, dir.resolve("none"), "backup", arguments)) {
                assertThat(backup.awaitExit(Duration.ofSeconds(60)))
                        .as(backup.output())
                        .isZero();
            }
            succeeds(restore());
            try (RedisProcess server = RedisProcess.start(RedisProcess.Options.in(data.resolve("redis")))) {
                for (String key : own.keys()) {
                    assertThat(TestRedis.askIn(server, "EXISTS", key).asLong())
                            .as(key)
                            .isEqualTo(1);
                }
                assertThat(TestRedis.askIn(server, "ZCARD", Keys.following(ids.get(0)))
                                .asLong())
                        .isEqualTo(1);
                assertThat(TestRedis.askIn(server, "HGET", Keys.META, "shards").asString())
                        .isEqualTo("16");
            }
        }
    }

    @Test
    void aBackupAsTheServiceUserNamesTheRightsForReplication() {
        try (TestRedis own = TestRedis.freshStandalone(AppendSync.OFF, ServiceUser.conf("pw", TestRedis.NAMESPACE))) {
            for (String text : Script.texts()) {
                TestRedis.ask(own.server(), "SCRIPT", "LOAD", text);
            }
            people(own);
            CommandRun run = CommandRun.of(List.of(
                    "backup",
                    file.toString(),
                    "--data",
                    dir.resolve("none").toString(),
                    "--set",
                    "redis.url="
                            + own.server()
                                    .url(ServiceUser.NAME, new Secret("pw"))
                                    .reveal()));
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .contains("name a user with +info +psync +replconf")
                    .doesNotContain("Exception");
            assertThat(list(dir)).isEmpty();
        }
    }

    @Test
    void aServiceOnTheFolderWithAnotherRedisIsNotMixedIn() throws IOException {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        Path service = Files.createDirectories(dir.resolve("none"));
        new RuntimeFile(
                        ProcessHandle.current().pid(),
                        "",
                        "",
                        new Secret(""),
                        Map.of("redis.url", "redis://fanfare:pw@elsewhere:6379"))
                .write(service);
        CommandRun run = backup(redis);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("uses the Redis at elsewhere:6379").doesNotContain("pw");
        assertThat(file).doesNotExist();

        RuntimeFile.remove(service);
        run = backup(redis);
        succeeds(run);
        assertThat(run.out()).contains("no archive is in the file", "pictures are not in the file", "no signing key");
    }

    @Test
    void aServiceOnTheFolderWithAnotherNamespaceIsNotMixedIn() throws IOException {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        Path service = Files.createDirectories(dir.resolve("none"));
        String url = redis.options().url().reveal();
        Map<String, String> shared = Map.of("redis.url", url, "redis.namespace", "other");
        new RuntimeFile(ProcessHandle.current().pid(), "", "", new Secret(""), shared).write(service);
        CommandRun run = backup(redis);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains("has the namespace other, and redis.namespace is fanfare: give --set redis.namespace=other");
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @KindsOfRedis
    void aRestoreHasTheKeysOfItsSiteAlone(TestRedis.Kind kind) throws IOException {
        TestRedis redis = kind.redis();
        List<Long> ids = people(redis);
        RedisLink other = TestRedis.await(RedisLink.open(vertx, redis.options().in(Namespace.of("other"))));
        for (int i = 0; i < 1000; i++) {
            TestRedis.await(other.send(Command.of("SET", "key" + i, "a secret of the other site")));
        }
        RedisLink bare = TestRedis.await(RedisLink.open(vertx, redis.options().in(Namespace.NONE)));
        TestRedis.await(bare.send(Command.raw("SET", "x", new byte[] {'x', (byte) 0xff, 0}, "a secret of a program")));
        succeeds(backup(redis));
        CommandRun restore = restore();
        succeeds(restore);
        assertThat(restore.err()).contains(" keys of other sites or programs are left out");
        TestRedis.await(other.close());
        TestRedis.await(bare.close());

        try (Stream<Path> files = Files.walk(data)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(each, StandardCharsets.ISO_8859_1))
                        .as(each.toString())
                        .doesNotContain("secret of");
            }
        }
        try (RedisProcess server = RedisProcess.start(RedisProcess.Options.in(data.resolve("redis")))) {
            for (Reply key : TestRedis.ask(server, "KEYS", "*").items()) {
                assertThat(key.asString()).startsWith("fanfare:");
            }
            assertThat(TestRedis.askIn(server, "ZCARD", Keys.following(ids.get(0)))
                            .asLong())
                    .isEqualTo(1);
        }
    }

    @Test
    void theServiceKnowsOfACompleteBackupAndOfNoOther() throws IOException {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        Files.createFile(file);
        assertThat(backup(redis).status()).isEqualTo(1);
        assertThat(stamp(redis)).isEmpty();

        Files.delete(file);
        CommandRun run = backup(redis, "--json");
        succeeds(run);
        JsonObject json = new JsonObject(run.out());
        Instant moment = Instant.parse(json.getJsonObject("manifest").getString("moment"));
        assertThat(stamp(redis)).contains(moment.truncatedTo(ChronoUnit.SECONDS));
        assertThat(json.getJsonArray("remarks").encode()).doesNotContain("keeps no note");
    }

    private static Optional<Instant> stamp(TestRedis redis) {
        RedisLink link = redis.link(vertx);
        try {
            return TestRedis.await(new BackupStamp(link).read());
        } finally {
            TestRedis.await(link.close());
        }
    }

    @Test
    void aBackupByAUserWhoMayNotWriteIsWholeAndSaysThatTheServiceDoesNotKnowOfIt() {
        try (TestRedis own =
                TestRedis.freshStandalone(AppendSync.OFF, "user copier on >pw ~* &* +@all -@write +psync +replconf")) {
            people(own);
            String url = own.server().url().reveal().replaceFirst("//[^@]*@", "//copier:pw@");
            CommandRun run = CommandRun.of(List.of(
                    "backup", file.toString(), "--data", dir.resolve("none").toString(), "--set", "redis.url=" + url));
            succeeds(run);
            assertThat(run.out()).contains("note: Redis keeps no note of this backup");
            succeeds(restore());
        }
    }

    @Test
    void aRedisWithoutDataOfFanfareIsNotBackedUp() {
        try (TestRedis own = TestRedis.freshStandalone(AppendSync.OFF)) {
            assertThat(backup(own).err()).contains("this Redis has no data of Fanfare");
            assertThat(list(dir)).isEmpty();
        }
    }

    @CanIgnoreReturnValue
    private static List<Long> people(TestRedis redis) {
        redis.flush();
        RedisLink link = redis.link(vertx);
        Settings settings = SettingsLoader.defaultsWith().with(TestSettings.redis(redis.options()));
        Shards shards = TestRedis.await(
                new Meta(link, new SecureRandom()).join(settings.redis().shards()));
        List<Long> ids = TestRedis.await(
                new Accounts(link, shards, new Random(1)).signUpAll(List.of("ann", "bob", "cleo", "dan")));
        TestRedis.await(new Graph(link, settings)
                .followAll(
                        List.of(new long[] {ids.get(0), ids.get(1)}, new long[] {ids.get(1), ids.get(2)}, new long[] {
                            ids.get(2), ids.get(3)
                        })));
        TestRedis.await(link.close());
        return ids;
    }

    @Test
    void aBackupSaysThatItDoesNotContainTheBucketOfThePictures() {
        TestRedis redis = TestRedis.standalone();
        people(redis);
        CommandRun run = backup(
                redis,
                "--set",
                "media.s3.endpoint=http://127.0.0.1:9",
                "--set",
                "media.s3.bucket=my-pictures",
                "--set",
                "media.s3.access-key=access",
                "--set",
                "media.s3.secret-key=secret");
        succeeds(run);
        assertThat(run.out()).contains("pictures are in the bucket my-pictures and not in the file");
    }

    private CommandRun backup(TestRedis redis, String... more) {
        List<String> line = new ArrayList<>(List.of(
                "backup",
                file.toString(),
                "--data",
                dir.resolve("none").toString(),
                "--set",
                "redis.mode=" + redis.options().mode().name().toLowerCase(Locale.ROOT),
                "--set",
                "redis.url=" + redis.server().url().reveal()));
        line.addAll(List.of(more));
        return CommandRun.of(line);
    }

    private CommandRun restore(String... options) {
        List<String> line = new ArrayList<>(List.of("restore", file.toString(), "--data", data.toString()));
        line.addAll(List.of(options));
        return CommandRun.of(line);
    }

    private static void succeeds(CommandRun run) {
        assertThat(run.status()).as(run.out() + run.err()).isZero();
    }

    private static List<String> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
