package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.store.DataFormat;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator's custom emojis: each command to its end. */
@Timeout(120)
class AdminEmojisTest {
    private final TestRedis redis = TestRedis.standalone();

    @TempDir
    private Path folder;

    private Path media;

    @BeforeEach
    void clear() throws IOException {
        redis.flush();
        redis.askAt(Keys.META, "HSET", Keys.META, "shards", "" + TestSettings.SHARDS, "format", "" + DataFormat.NOW);
        media = Files.createDirectory(folder.resolve("media"));
    }

    private Path picture(String format, int width, int height) throws IOException {
        Path file = folder.resolve("picture." + format);
        assertThat(ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), format, file.toFile()))
                .isTrue();
        return file;
    }

    @CanIgnoreReturnValue
    private CommandRun run(String... command) {
        List<String> line = new ArrayList<>(List.of("admin", "emojis"));
        line.addAll(List.of(command));
        line.addAll(
                List.of("--set", "redis.url=" + redis.server().url().reveal(), "--set", "media.directory=" + media));
        return CommandRun.of(line);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(media)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"png, 32, 32, 32, 32", "jpg, 1024, 512, 362, 181", "gif, 20, 10, 20, 10"})
    void anAddedEmojiIsASmallPngInTheFolderOfPictures(String format, int width, int height, int toWidth, int toHeight)
            throws IOException {
        CommandRun added = run("add", ":party:", picture(format, width, height).toString(), "--category", "Fun things");

        assertThat(added.status()).as(added.err()).isZero();
        assertThat(added.out()).contains("added :party:");
        assertThat(files()).hasSize(1);
        BufferedImage image = ImageIO.read(files().get(0).toFile());
        assertThat(List.of(image.getWidth(), image.getHeight())).containsExactly(toWidth, toHeight);
        String name = files().get(0).getFileName().toString();
        assertThat(MediaName.isName(name)).isTrue();
        assertThat(name).endsWith(".png");
        assertThat(run("list").out()).contains(":party:  " + name + "  Fun things");
        assertThat(redis.askAt(Keys.mediaDue(0), "ZCARD", Keys.mediaDue(0)).asLong())
                .isZero();
    }

    @Test
    void aRemovedEmojiLeavesTheListAndItsFileIsDue() throws IOException {
        run("add", "party", picture("png", 8, 8).toString());

        assertThat(run("remove", "party").out()).contains("removed :party:");

        assertThat(run("list").out()).contains("no custom emojis");
        assertThat(redis.askAt(Keys.mediaDue(0), "ZCARD", Keys.mediaDue(0)).asLong())
                .isOne();
        CommandRun again = run("remove", "party");
        assertThat(again.status()).isEqualTo(2);
        assertThat(again.err()).contains("there is no emoji :party:");
    }

    @Test
    void anEmojiIsReplacedOnlyWithTheOptionForIt() throws IOException {
        String file = picture("png", 8, 8).toString();
        run("add", "party", file);

        CommandRun again = run("add", "party", file);
        assertThat(again.status()).isOne();
        assertThat(again.err()).contains("--replace").doesNotContain("mistake in Fanfare");
        assertThat(files()).as("nothing was made for it").hasSize(1);
        assertThat(run("add", "party", file, "--replace", "--json").out())
                .contains("{\"added\":\"party\",\"replaced\":true}");
    }

    @Test
    void anEmojiWhoseFileIsGoneIsListedAsMissing() throws IOException {
        run("add", "party", picture("png", 8, 8).toString());
        Files.delete(files().get(0));

        assertThat(run("list").out()).contains("  missing");
        assertThat(new JsonArray(run("list", "--json").out()).getJsonObject(0).getBoolean("missing"))
                .isTrue();
    }

    @Test
    void aFolderOfPicturesThatIsNotThereIsNotMade() throws IOException {
        Files.delete(media);

        CommandRun refused = run("add", "party", picture("png", 8, 8).toString());

        assertThat(refused.status()).isOne();
        assertThat(refused.err()).contains("is not there", "--data DIR").doesNotContain("mistake in Fanfare");
        assertThat(media).doesNotExist();
        assertThat(run("list").out()).contains("no custom emojis");
    }

    /** The service could not read what the superuser adds. */
    @ParameterizedTest
    @ValueSource(strings = {"", "tmp"})
    void aFolderOfPicturesOfAnotherUserIsLeftAlone(String made) throws IOException {
        Path ofService = Files.createDirectories(media.resolve(made));
        try {
            Files.setOwner(
                    ofService,
                    ofService.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        } catch (IOException | UnsupportedOperationException e) {
            Assumptions.abort("only the superuser gives a folder to another user: " + e);
        }

        CommandRun refused = run("add", "party", picture("png", 8, 8).toString());

        assertThat(refused.status()).isOne();
        assertThat(refused.err())
                .contains("run the command as the user of the service")
                .doesNotContain("mistake in Fanfare");
        assertThat(files()).isEmpty();
        assertThat(run("list").out()).contains("no custom emojis");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a-b", "::", "", "\u00e9\u00e9"})
    void invalidShortcodesAreRefused(String shortcode) throws IOException {
        CommandRun refused = run("add", shortcode, picture("png", 8, 8).toString());

        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("a shortcode is 2 to 128");
    }

    @Test
    void filesThatAreNoPictureOrTooLargeAreRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("x.png"), "no picture");
        Path large = Files.write(folder.resolve("y.png"), new byte[(256 << 10) + 1]);

        CommandRun none = run("add", "party", text.toString());
        assertThat(none.status()).isOne();
        assertThat(none.err()).contains("no picture").doesNotContain("mistake in Fanfare");
        assertThat(run("add", "party", large.toString()).err()).contains("larger than 256 KB");
        assertThat(run("add", "party", folder.resolve("absent.png").toString()).err())
                .contains("there is no file");
        assertThat(run("list").out()).contains("no custom emojis");
    }
}
