package io.fanfare.app.operate;

import io.fanfare.common.model.Refusal;
import io.fanfare.core.account.Invitations;
import io.fanfare.core.account.Invitations.Invitation;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/** Invitations for an operator. For a link's event loop. */
public final class InvitationReport {
    private final Invitations invitations;
    private final String publicUrl;
    private final InstantSource clock;

    public InvitationReport(Redis redis, String publicUrl, InstantSource clock) {
        this.invitations = new Invitations(redis, new SecureRandom());
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    /** All, the newest first, for programs. */
    public Future<JsonArray> list() {
        return invitations.all().map(all -> {
            JsonArray found = new JsonArray();
            all.forEach(one -> found.add(json(one)));
            return found;
        });
    }

    /**
     * The newest, for programs: {@code invitations}, and {@code next}, the cursor of the next page, where there are
     * more. Fails with a {@link Refusal} when the invitation of the cursor is gone.
     *
     * @param before the code of an invitation; empty = from the newest
     */
    public Future<JsonObject> page(String before, int max) {
        return invitations.all().map(all -> {
            List<String> codes = all.stream().map(Invitation::code).toList();
            int first = before.isEmpty() ? 0 : codes.indexOf(before) + 1;
            if (first == 0 && !before.isEmpty()) {
                throw new Refusal(
                        Refusal.Reason.NOT_FOUND, "This invitation is gone: begin again with the newest ones.");
            }
            int end = Math.min(first + max, all.size());
            JsonArray shown = new JsonArray();
            all.subList(first, end).forEach(one -> shown.add(json(one)));
            return ReportPage.of("invitations", shown, end == all.size() ? "" : codes.get(end - 1));
        });
    }

    /** Makes one, for programs. See {@link Invitations#make}. */
    public Future<JsonObject> make(Duration life, int usesMax, String comment) {
        return invitations.make(Invitations.OPERATOR, life, usesMax, comment).map(this::json);
    }

    /** Revokes one of anybody, for programs: whether there was one. */
    public Future<JsonObject> revoke(String code) {
        return invitations.revoke(code).map(revoked -> new JsonObject().put("changed", revoked));
    }

    private JsonObject json(Invitation one) {
        return new JsonObject()
                .put("code", one.code())
                .put("url", publicUrl + "/invite/" + one.code())
                .put("account_id", one.inviter() == Invitations.OPERATOR ? null : Long.toString(one.inviter()))
                .put("created_at", Terminal.time(one.madeMillis()))
                .put("expires_at", one.endsMillis() == 0 ? null : Terminal.time(one.endsMillis()))
                .put("max_uses", one.usesMax() == 0 ? null : one.usesMax())
                .put("uses", one.uses())
                .put("valid", one.isGood(clock.millis()))
                .put("comment", one.comment());
    }

    /** One for people, in a line. */
    public static String line(JsonObject one) {
        String inviter = one.getString("account_id");
        Integer max = one.getInteger("max_uses");
        return String.format(
                Locale.ROOT,
                "%s  by %s  used %d of %s  %s  %s",
                one.getString("code"),
                inviter == null ? "an operator" : inviter,
                one.getInteger("uses"),
                max == null ? "any" : max,
                one.getBoolean("valid")
                        ? one.getString("expires_at") == null
                                ? "without an end"
                                : "until " + one.getString("expires_at")
                        : "over",
                Terminal.printable(one.getString("comment")));
    }
}
