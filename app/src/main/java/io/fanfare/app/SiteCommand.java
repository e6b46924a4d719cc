package io.fanfare.app;

import io.fanfare.app.operate.SiteReport;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.site.Document;
import io.fanfare.core.site.Site;
import io.fanfare.failure.Reason;
import io.fanfare.redis.Redis;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;

/** The steps that the commands about rules, texts and announcements share. */
final class SiteCommand {
    /** No text of so many bytes is short enough. */
    private static final int FILE_BYTES_MAX = 4 * Document.TEXT_MAX;

    private SiteCommand() {}

    /** A text of several lines. */
    static final class FileOption {
        @Option(
                names = "--file",
                required = true,
                paramLabel = "FILE",
                description = "The text, in UTF-8; - = from the standard input.")
        private String file;

        /** The text; fails with a sentence when it cannot be read, is too long or is not UTF-8. */
        String text() {
            try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
                byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
                if (bytes.length > FILE_BYTES_MAX) {
                    throw new StartFailed("the text must have at most " + Document.TEXT_MAX + " characters");
                }
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString();
            } catch (CharacterCodingException e) {
                throw new StartFailed("the text must be in UTF-8: convert " + file + " first");
            } catch (IOException e) {
                throw new StartFailed("cannot read the text: " + Reason.of(e));
            }
        }
    }

    /** Blocks for the answer of a question. */
    static JsonObject ask(SettingsOptions options, Function<SiteReport, Future<JsonObject>> question) {
        Logging.ofCommand();
        Settings settings = options.joining();
        try {
            return RemoteStores.askRedis(settings, redis -> question.apply(report(redis, settings)));
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }

    /**
     * Changes the site, with an audit event and an entry in the log of acts; all of it after the change.
     *
     * @param path as the console names the operation: {@code rules/add}
     * @param subject the rule, text or announcement concerned; may be empty
     */
    static JsonObject change(
            SettingsOptions options,
            WhyOption why,
            String path,
            String subject,
            Function<SiteReport, UnaryOperator<Site>> change) {
        Logging.ofCommand();
        Settings settings = options.joining();
        Act act = Act.on(CommandAudit.actor(), path.replace('/', '.'), 0, why.text())
                .withDetail(subject);
        return new CommandAudit(path, subject)
                .of(() -> RemoteStores.askRedis(settings, redis -> {
                    SiteReport report = report(redis, settings);
                    return Future.succeededFuture().compose(begun -> report.change(act, change.apply(report)));
                }));
    }

    private static SiteReport report(Redis redis, Settings settings) {
        return new SiteReport(redis, new ModerationLog(redis, settings.log().auditEntries()), InstantSource.system());
    }
}
