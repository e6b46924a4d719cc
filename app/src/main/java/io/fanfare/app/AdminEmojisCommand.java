package io.fanfare.app;

import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.CustomEmoji;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Meta;
import io.fanfare.core.emoji.Emojis;
import io.fanfare.failure.Reason;
import io.fanfare.media.DiskMediaStore;
import io.fanfare.media.MediaProcessor;
import io.fanfare.media.MediaStore;
import io.fanfare.media.PictureUse;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin emojis}: the custom emojis of the server. */
@Command(
        name = "emojis",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and changes the custom emojis: pictures that people write as :shortcode:. A change is seen"
                + " within seconds.")
final class AdminEmojisCommand {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description =
                    "Adds an emoji. Its picture is converted to a PNG of at most as many pixels as 256 x 256 have; of"
                            + " an animated one the first frame is kept.")
    int add(
            @Mixin SettingsOptions options,
            @Parameters(
                            paramLabel = "SHORTCODE",
                            description = "Letters a to z, A to Z, digits and _, 2 to " + CustomEmoji.SHORTCODE_MAX
                                    + " of them.")
                    String shortcode,
            @Parameters(paramLabel = "FILE", description = "A PNG, GIF, WebP or JPEG of at most 256 KB.") Path file,
            @Option(
                            names = "--category",
                            paramLabel = "NAME",
                            defaultValue = "",
                            description = "Under which pickers show it, at most " + CustomEmoji.CATEGORY_MAX
                                    + " characters. Default: none.")
                    String category,
            @Option(names = "--replace", description = "In place of the one that has this shortcode.") boolean replace,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        String code = code(shortcode);
        String group = category.strip();
        if (group.length() > CustomEmoji.CATEGORY_MAX || group.chars().anyMatch(Character::isISOControl)) {
            throw wrong("--category must be at most " + CustomEmoji.CATEGORY_MAX + " characters, on one line");
        }
        Path picture = readable(file);
        Settings settings = options.joining();
        if (!settings.media().isOffered()) {
            throw new StartFailed("no folder of pictures is known: name the folder of the service with --data DIR,"
                    + " or set media.directory or media.s3");
        }
        Settings.Media where = settings.media().s3().isSet()
                ? settings.media().in("")
                : settings.media().in(own(Path.of(settings.media().directory())).toString());
        boolean replaced = ask(settings, emojis -> {
            SecureRandom random = new SecureRandom();
            Vertx vertx = Vertx.currentContext().owner();
            MediaStore store = MediaStore.of(vertx, where, random, InstantSource.system());
            MediaProcessor media = new MediaProcessor(vertx, random, store, where);
            return emojis.check(code, replace)
                    .compose(free -> media.check(picture))
                    .compose(checked -> media.make(/* account= */ 0, PictureUse.EMOJI, checked))
                    .compose(made -> emojis.reserve(made.name())
                            .recover(cause -> media.discard(made).transform(gone -> Future.failedFuture(cause)))
                            .compose(reserved -> media.publish(made))
                            .compose(published -> emojis.add(new CustomEmoji(code, made.name(), group), replace)))
                    .onComplete(end -> media.close());
        });
        System.out.println(
                json
                        ? new JsonObject()
                                .put("added", code)
                                .put("replaced", replaced)
                                .encode()
                        : (replaced ? "replaced :" : "added :") + code + ":");
        return 0;
    }

    /** The folder of pictures, which must be that of the service: what another user adds the service cannot read. */
    private static Path own(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new StartFailed("the folder of pictures " + folder + " is not there: name the folder of the service"
                    + " with --data DIR or media.directory, and start the service once, which makes it");
        }
        try {
            if (DiskMediaStore.isOwn(folder)) {
                return folder;
            }
        } catch (IOException e) {
            throw new StartFailed("cannot write into the folder of pictures " + folder + ": " + Reason.of(e)
                    + ". Run the command as the user of the service");
        }
        throw new StartFailed("the folder of pictures " + folder + " is another user's, and the service could not read"
                + " the picture: run the command as the user of the service");
    }

    private String code(String shortcode) {
        String code = shortcode.length() > 2 && shortcode.startsWith(":") && shortcode.endsWith(":")
                ? shortcode.substring(1, shortcode.length() - 1)
                : shortcode;
        if (!CustomEmoji.isShortcode(code)) {
            throw wrong("a shortcode is 2 to " + CustomEmoji.SHORTCODE_MAX + " of a to z, A to Z, 0 to 9 and _");
        }
        return code;
    }

    private Path readable(Path file) {
        try {
            if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                throw wrong("there is no file " + file + " that can be read");
            }
            if (Files.size(file) > Emojis.FILE_BYTES_MAX) {
                throw wrong("the picture is larger than " + (Emojis.FILE_BYTES_MAX >> 10)
                        + " KB: make it smaller, nobody sees more than a few hundred pixels of it");
            }
            return file;
        } catch (IOException e) {
            throw wrong("cannot read " + Reason.of(e));
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows them: shortcode, file, category; missing = its file is not in the folder of pictures.")
    int list(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        Settings settings = options.joining();
        List<Listed> all =
                ask(settings, emojis -> emojis.load().compose(loaded -> listed(settings.media(), loaded.all())));
        JsonArray array = new JsonArray();
        all.forEach(listed -> array.add(new JsonObject()
                .put("shortcode", listed.emoji().shortcode())
                .put("file", listed.emoji().file())
                .put("category", listed.emoji().category())
                .put("missing", listed.missing())));
        System.out.println(
                json
                        ? array.encodePrettily()
                        : all.isEmpty()
                                ? "no custom emojis"
                                : all.stream().map(Listed::line).collect(Collectors.joining(System.lineSeparator())));
        return 0;
    }

    /** @param missing false, too, when this machine knows no place of the pictures */
    private record Listed(CustomEmoji emoji, boolean missing) {
        String line() {
            String category = emoji.category().isEmpty() ? "" : "  " + Terminal.printable(emoji.category());
            return ":" + emoji.shortcode() + ":  " + emoji.file() + (missing ? "  missing" : "") + category;
        }
    }

    private static Future<List<Listed>> listed(Settings.Media media, List<CustomEmoji> all) {
        if (!media.s3().isSet()) {
            return Future.succeededFuture(all.stream()
                    .map(emoji -> new Listed(emoji, isMissing(media, emoji)))
                    .toList());
        }
        MediaStore store =
                MediaStore.of(Vertx.currentContext().owner(), media.in(""), new SecureRandom(), InstantSource.system());
        return Future.all(all.stream()
                        .map(emoji -> store.find(emoji.file()).map(found -> new Listed(emoji, found.isEmpty())))
                        .toList())
                .map(CompositeFuture::list);
    }

    /** False when this machine has no folder of pictures. */
    private static boolean isMissing(Settings.Media media, CustomEmoji emoji) {
        return media.isOffered() && !Files.isRegularFile(MediaName.place(Path.of(media.directory()), emoji.file()));
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes one. Texts keep its shortcode; its file is deleted a minute later.")
    int remove(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "SHORTCODE", description = "As the list shows it.") String shortcode,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        String code = code(shortcode);
        if (!ask(options.joining(), emojis -> emojis.remove(code))) {
            throw wrong("there is no emoji :" + code + ":");
        }
        System.out.println(json ? new JsonObject().put("removed", code).encode() : "removed :" + code + ":");
        return 0;
    }

    private static <T> T ask(Settings settings, Function<Emojis, Future<T>> question) {
        return RemoteStores.askRedis(settings, redis -> new Meta(redis, new SecureRandom())
                .join(settings.redis().shards())
                .compose(shards -> question.apply(new Emojis(redis)))
                .recover(cause -> Future.failedFuture(
                        cause instanceof Refusal refusal ? new StartFailed(refusal.getMessage()) : cause)));
    }

    private ParameterException wrong(String why) {
        return new ParameterException(spec.commandLine(), why);
    }
}
