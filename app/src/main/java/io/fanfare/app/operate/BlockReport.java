package io.fanfare.app.operate;

import io.fanfare.api.siteblock.BlockValues;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.siteblock.SiteBlock;
import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.common.siteblock.SiteBlock.Severity;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.common.siteblock.SiteBlocks.Change;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Networks, mail domains and user names that the site refuses, for an operator, who adds and removes them. For a link's
 * event loop.
 */
public final class BlockReport {
    /** The longest life of a block of a network that ends, in days. */
    public static final int DAYS_MAX = 3650;

    private final SiteBlocks blocks;
    private final ModerationLog log;
    private final InstantSource clock;

    public BlockReport(Redis redis, ModerationLog log, InstantSource clock) {
        this.blocks = new SiteBlocks(redis, clock);
        this.log = log;
        this.clock = clock;
    }

    /** The kind with this label; throws a {@link Refusal} that names the kinds. */
    public static Kind kind(String label) {
        return Kind.of(label).orElseThrow(() -> malformed("The kind must be network, mail or name."));
    }

    private static Severity severity(String label) {
        return label.isEmpty()
                ? Severity.SIGN_UP_BLOCK
                : Severity.of(label)
                        .orElseThrow(() -> malformed(
                                "The severity must be sign_up_requires_approval, sign_up_block or no_access."));
    }

    private static Refusal malformed(String sentence) {
        return new Refusal(Refusal.Reason.MALFORMED, sentence);
    }

    /** The values of a text, one a line, without empty lines and those that begin with a {@code #}. */
    public static Stream<String> lines(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#"));
    }

    /** All blocks of these kinds that have not ended, the oldest first, for programs. */
    public Future<JsonArray> list(List<Kind> kinds) {
        return blocks.read().map(all -> {
            JsonArray shown = new JsonArray();
            kinds.forEach(kind -> all.of(kind, clock.millis()).forEach(block -> shown.add(json(block))));
            return shown;
        });
    }

    /**
     * The newest of a kind, for programs: {@code blocks}, and {@code next}, the cursor of the next page, where there
     * are more.
     *
     * @param before an id, exclusive
     */
    public Future<JsonObject> page(Kind kind, long before, int max) {
        return blocks.page(kind, PageRequest.olderThan(before, max))
                .map(page -> ReportPage.of("blocks", array(page.items()), page.next()));
    }

    /**
     * Adds blocks, for programs: {@code added}, and how many values were blocked before. Fails with a {@link Refusal}
     * when a value or another argument cannot be read.
     *
     * @param values 1 to {@link SiteBlocks#CHANGES_MAX}, as people write them
     * @param severity of networks; empty = no sign-ups
     * @param days after which the block of a network ends; 0 = never
     * @param why the comment of the blocks too
     */
    public Future<JsonObject> add(Actor by, Kind kind, List<String> values, String severity, int days, String why) {
        boolean isNetwork = kind == Kind.NETWORK;
        if (days < 0 || days > DAYS_MAX) {
            throw malformed("The days must be 1 to " + DAYS_MAX + ".");
        }
        Severity chosen = isNetwork ? severity(severity) : Severity.SIGN_UP_BLOCK;
        long now = clock.millis();
        long end = isNetwork && days > 0 ? now + Duration.ofDays(days).toMillis() : 0;
        List<SiteBlock> wanted = stored(kind, values).stream()
                .map(value -> new SiteBlock(0, kind, value, chosen, why.strip(), now, end))
                .toList();
        return change(
                        by,
                        "blocks.add",
                        kind,
                        wanted.stream().map(SiteBlock::text).toList(),
                        why,
                        all -> {
                            Set<String> known = all.of(kind, now).stream()
                                    .map(SiteBlock::value)
                                    .collect(Collectors.toSet());
                            return Change.put(wanted.stream()
                                    .filter(block -> !known.contains(block.value()))
                                    .toList());
                        })
                .map(added -> new JsonObject().put("added", array(added)).put("known", wanted.size() - added.size()));
    }

    /** Removes blocks by their values, for programs: how many were {@code removed}, and how many {@code unknown}. */
    public Future<JsonObject> remove(Actor by, Kind kind, List<String> values, String why) {
        Set<String> wanted = new HashSet<>(stored(kind, values));
        List<Long> removed = new ArrayList<>();
        List<String> texts = wanted.stream().map(value -> text(kind, value)).toList();
        return change(by, "blocks.remove", kind, texts, why, all -> {
                    removed.clear();
                    all.blocks().stream()
                            .filter(block -> block.kind() == kind && wanted.contains(block.value()))
                            .forEach(block -> removed.add(block.id()));
                    return Change.remove(removed);
                })
                .map(done ->
                        new JsonObject().put("removed", removed.size()).put("unknown", wanted.size() - removed.size()));
    }

    private Future<List<SiteBlock>> change(
            Actor by,
            String action,
            Kind kind,
            List<String> values,
            String why,
            Function<SiteBlocks.Snapshot, Change> decide) {
        String shown = values.size() == 1 ? values.get(0) : values.size() + " values";
        Act act = Act.on(by, action, 0, why).withDetail(kind.label() + " " + shown);
        return log.during(act, () -> blocks.change(decide));
    }

    private static String text(Kind kind, String stored) {
        return new SiteBlock(0, kind, stored, Severity.SIGN_UP_BLOCK, "", 0, 0).text();
    }

    /** The values as they are stored, each once. */
    private static List<String> stored(Kind kind, List<String> values) {
        if (values.isEmpty() || values.size() > SiteBlocks.CHANGES_MAX) {
            throw malformed("Name 1 to " + SiteBlocks.CHANGES_MAX + " values.");
        }
        return values.stream()
                .map(text -> BlockValues.of(kind, Terminal.printable(text), text))
                .distinct()
                .toList();
    }

    private static JsonArray array(List<SiteBlock> blocks) {
        return new JsonArray(blocks.stream().map(BlockReport::json).toList());
    }

    private static JsonObject json(SiteBlock block) {
        return new JsonObject()
                .put("id", Long.toString(block.id()))
                .put("kind", block.kind().label())
                .put("value", block.text())
                .put("severity", block.severity().label())
                .put("comment", block.comment())
                .put("created", Terminal.time(block.createdMillis()))
                .put("ends", block.endMillis() == 0 ? null : Terminal.time(block.endMillis()));
    }
}
