package io.fanfare.api.siteblock;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.siteblock.SiteBlock;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.common.view.Timestamps;
import java.io.IOException;
import java.time.Duration;

/** Writes Mastodon's entities Admin::IpBlock and Admin::EmailDomainBlock, and a block of names of the same kind. */
final class BlockJson {
    private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

    private BlockJson() {}

    static void network(JsonGenerator json, SiteBlock block) throws IOException {
        begin(json, "ip", block);
        json.writeStringField("severity", block.severity().label());
        json.writeStringField("comment", block.comment());
        json.writeStringField("expires_at", block.endMillis() == 0 ? null : Timestamps.time(block.endMillis()));
        json.writeEndObject();
    }

    static void name(JsonGenerator json, SiteBlock block) throws IOException {
        begin(json, "username", block);
        json.writeStringField("comment", block.comment());
        json.writeEndObject();
    }

    /**
     * A mail domain with the sign-ups that it refused.
     *
     * @param uses of each day, the newest first
     * @param today days since 1970, UTC
     */
    static void mailDomain(JsonGenerator json, SiteBlock block, long[] uses, long today) throws IOException {
        begin(json, "domain", block);
        json.writeArrayFieldStart("history");
        for (int ago = 0; ago < SiteBlocks.DAYS; ago++) {
            json.writeStartObject();
            json.writeStringField("day", Long.toString((today - ago) * DAY_SECONDS));
            json.writeStringField("accounts", Long.toString(uses[ago]));
            json.writeStringField("uses", Long.toString(uses[ago]));
            json.writeEndObject();
        }
        json.writeEndArray();
        // An approval does not exist here, so none admits the domain.
        json.writeBooleanField("allow_with_approval", false);
        json.writeEndObject();
    }

    private static void begin(JsonGenerator json, String field, SiteBlock block) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(block.id()));
        json.writeStringField(field, block.text());
        json.writeStringField("created_at", Timestamps.time(block.createdMillis()));
    }
}
