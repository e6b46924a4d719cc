package io.fanfare.app.operate;

import io.fanfare.common.settings.SettingsLoader.Effective;
import io.fanfare.secret.Secret;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * The facts about a process that its console shows to operators.
 *
 * @param version of Fanfare, with the commit that it was built from
 * @param roles what the process does: {@code api}, {@code worker}, {@code stream}
 * @param settings in force, secrets masked
 * @param administrator address of Redis for its administrator; empty = the user of {@code redis.url} does what it may
 */
public record ProcessFacts(
        String version, List<String> roles, List<Effective> settings, Optional<Secret> administrator) {
    /** For the frame of the page. */
    public JsonObject about() {
        return new JsonObject().put("version", version).put("roles", new JsonArray(List.copyOf(roles)));
    }
}
