package io.fanfare.api;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;

/** Makes accounts with roles, whose tokens have all scopes. */
final class Moderators {
    private static final String SCOPES = "read write follow push admin:read admin:write";

    private Moderators() {}

    /** An account without a role so far. */
    static User signUp(ApiServer api, String name) {
        User user = api.signUp(name);
        Response app = api.post(
                "/api/v1/apps",
                null,
                "client_name",
                "desk",
                "redirect_uris",
                "urn:ietf:wg:oauth:2.0:oob",
                "scopes",
                SCOPES);
        String token = api.token(
                        app,
                        "grant_type",
                        "password",
                        "username",
                        name,
                        "password",
                        ApiServer.PASSWORD,
                        "scope",
                        SCOPES)
                .text("/access_token");
        return new User(user.id(), name, token);
    }

    /** Writes the role as an operator's command does. */
    static void promote(TestRedis redis, User user, Role role) {
        Reply written = redis.askAt(Keys.MODERATION_ROLES, "HSET", Keys.MODERATION_ROLES, user.id(), role.label());
        String key = Keys.user(Id.parse(user.id()));
        Reply copied = redis.askAt(key, "HSET", key, "role", role.label());
        if (written.isFailure() || copied.isFailure()) {
            throw new AssertionError(written + " " + copied);
        }
    }
}
