package io.fanfare.api.siteblock;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.common.model.Role;
import io.fanfare.common.siteblock.SiteBlock;
import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.common.siteblock.SiteBlock.Severity;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.common.siteblock.SiteBlocks.Change;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Roles;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.ClientAddress;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Mastodon's admin/ip_blocks and admin/email_domain_blocks, and the same for user names: moderators list, add, change
 * and remove blocks of the site. Each act is in the log of acts.
 */
final class BlockRoutes {
    private static final int LIMIT = 100;
    private static final int LIMIT_MAX = 200;

    /** The longest life of a block that ends: ten years. */
    private static final int EXPIRES_SECONDS_MAX = 10 * 365 * 86_400;

    private final Roles roles;
    private final SecondFactors factors;
    private final SiteBlocks blocks;
    private final ModerationLog log;
    private final AuditLog audit;
    private final ClientAddress addresses;
    private final InstantSource clock;
    private final String publicUrl;

    BlockRoutes(
            Roles roles,
            SecondFactors factors,
            SiteBlocks blocks,
            ModerationLog log,
            AuditLog audit,
            ClientAddress addresses,
            InstantSource clock,
            String publicUrl) {
        this.roles = roles;
        this.factors = factors;
        this.blocks = blocks;
        this.log = log;
        this.audit = audit;
        this.addresses = addresses;
        this.clock = clock;
        this.publicUrl = publicUrl;
    }

    List<Endpoint> endpoints() {
        Access writeNetworks = Access.user("admin:write:ip_blocks");
        return Stream.of(
                        endpoints(Kind.NETWORK, "/api/v1/admin/ip_blocks", "ip_blocks"),
                        List.of(put("/api/v1/admin/ip_blocks/:id", writeNetworks, this::change)),
                        endpoints(Kind.MAIL_DOMAIN, "/api/v1/admin/email_domain_blocks", "email_domain_blocks"),
                        endpoints(Kind.NAME, "/api/v1/admin/username_blocks", "ip_blocks"))
                .flatMap(List::stream)
                .toList();
    }

    /** @param scope behind {@code admin:read:} and {@code admin:write:} */
    private List<Endpoint> endpoints(Kind kind, String path, String scope) {
        Access read = Access.user("admin:read:" + scope);
        Access write = Access.user("admin:write:" + scope);
        return List.of(
                get(path, read, call -> list(call, kind)),
                post(path, write, call -> add(call, kind)),
                get(path + "/:id", read, call -> show(call, kind)),
                delete(path + "/:id", write, call -> remove(call, kind)));
    }

    private Future<Role> require(Call call) {
        return roles.require(call.viewer(), Role.Permission.MANAGE_BLOCKS)
                .compose(role -> factors.requireEnrolled(call.viewer()).map(role));
    }

    private Future<Answer> list(Call call, Kind kind) {
        return require(call)
                .compose(may -> blocks.page(kind, call.parameters().page(LIMIT, LIMIT_MAX)))
                .compose(page -> uses(kind, page.items())
                        .map(uses -> Answer.array(page.items(), (json, block) -> write(json, block, uses))
                                .link(Links.of(publicUrl, call, page))));
    }

    private Future<Answer> show(Call call, Kind kind) {
        return require(call).compose(may -> blocks.require(kind, call.id())).compose(this::answer);
    }

    private Future<Answer> answer(SiteBlock block) {
        return uses(block.kind(), List.of(block)).map(uses -> Answer.json(json -> write(json, block, uses)));
    }

    private Future<Map<Long, long[]>> uses(Kind kind, List<SiteBlock> shown) {
        return kind == Kind.MAIL_DOMAIN
                ? blocks.uses(shown.stream().map(SiteBlock::id).toList())
                : Future.succeededFuture(Map.of());
    }

    private void write(JsonGenerator json, SiteBlock block, Map<Long, long[]> uses) throws IOException {
        switch (block.kind()) {
            case NETWORK -> BlockJson.network(json, block);
            case NAME -> BlockJson.name(json, block);
            case MAIL_DOMAIN ->
                BlockJson.mailDomain(
                        json,
                        block,
                        uses.get(block.id()),
                        Duration.ofMillis(clock.millis()).toDays());
        }
    }

    private Future<Answer> add(Call call, Kind kind) {
        return require(call).compose(may -> {
            SiteBlock block = read(call, new SiteBlock(0, kind, "", null, "", clock.millis(), 0));
            return during(call, "add", block, () -> blocks.change(all -> Change.put(List.of(block))))
                    .compose(written -> answer(written.get(0)));
        });
    }

    private Future<Answer> change(Call call) {
        return require(call)
                .compose(may -> blocks.require(Kind.NETWORK, call.id()))
                .compose(before -> {
                    SiteBlock block = read(call, before);
                    return during(
                                    call,
                                    "change",
                                    block,
                                    () -> blocks.change(all -> {
                                        SiteBlocks.require(all, Kind.NETWORK, block.id(), clock.millis());
                                        return Change.put(List.of(block));
                                    }))
                            .compose(written -> answer(written.get(0)));
                });
    }

    private Future<Answer> remove(Call call, Kind kind) {
        return require(call)
                .compose(may -> blocks.require(kind, call.id()))
                .compose(block ->
                        during(call, "remove", block, () -> blocks.change(all -> Change.remove(List.of(block.id())))))
                .map(removed -> Answer.EMPTY_OBJECT);
    }

    /** Logs an act, then does it. */
    private <T> Future<T> during(Call call, String verb, SiteBlock block, Supplier<Future<T>> work) {
        audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
        Act act = Act.on(Actor.account(call.viewer()), "blocks." + verb, 0, block.comment())
                .withDetail(block.described());
        return log.during(act, work);
    }

    /**
     * The block with the fields of the request; the fields that the request leaves out are those of the block before.
     */
    private SiteBlock read(Call call, SiteBlock before) {
        Kind kind = before.kind();
        String field =
                switch (kind) {
                    case NETWORK -> "ip";
                    case MAIL_DOMAIN -> "domain";
                    case NAME -> "username";
                };
        String value = call.parameters().has(field) || before.id() == 0
                ? BlockValues.of(kind, field, call.parameters().text(field, ""))
                : before.value();
        SiteBlock block = new SiteBlock(
                before.id(),
                kind,
                value,
                kind == Kind.NETWORK ? severity(call, before) : Severity.SIGN_UP_BLOCK,
                comment(call, before),
                before.createdMillis(),
                kind == Kind.NETWORK ? end(call, before) : 0);
        if (kind == Kind.NETWORK && block.network().contains(addresses.of(call.request()))) {
            throw BlockValues.fault(field, "ERR_INVALID", "contains your own address: choose a narrower network");
        }
        return block;
    }

    private static Severity severity(Call call, SiteBlock before) {
        if (before.severity() != null && !call.parameters().has("severity")) {
            return before.severity();
        }
        return Severity.of(call.parameters().text("severity", ""))
                .orElseThrow(() -> BlockValues.fault(
                        "severity", "ERR_INCLUSION", "must be sign_up_requires_approval, sign_up_block or no_access"));
    }

    private static String comment(Call call, SiteBlock before) {
        String comment = call.parameters().text("comment", before.comment()).strip();
        ValidationErrors errors = new ValidationErrors();
        if (comment.length() > SiteBlock.COMMENT_CHARS_MAX) {
            errors.add(
                    "comment", "ERR_TOO_LONG", "is too long (at most " + SiteBlock.COMMENT_CHARS_MAX + " characters)");
        } else {
            errors.addUnlessStreamSafe("comment", comment);
        }
        errors.refuseIfAny();
        return comment;
    }

    /** An empty number of seconds, or 0, takes the end away, as in Mastodon. */
    private long end(Call call, SiteBlock before) {
        if (!call.parameters().has("expires_in")) {
            return before.endMillis();
        }
        int seconds = call.parameters().number("expires_in", 0, 0, EXPIRES_SECONDS_MAX);
        return seconds == 0 ? 0 : clock.millis() + Duration.ofSeconds(seconds).toMillis();
    }
}
