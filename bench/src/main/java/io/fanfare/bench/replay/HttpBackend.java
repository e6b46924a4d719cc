package io.fanfare.bench.replay;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.replay.FeedClient.Answer;
import io.fanfare.bench.replay.FeedClient.Call;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@link Backend} for a server of which only the URL is known. Signing up costs the server one password hash per
 * account, so it takes its time. One event loop.
 */
final class HttpBackend implements Backend {
    private static final int SIGN_UPS_AT_ONCE = 4;
    private static final int FOLLOWS_AT_ONCE = 16;
    /** Entries of a home that one request asks for. */
    static final int PAGE = 40;

    private final FeedClient client;
    private final String password;

    /** @param password of every account that is made here */
    HttpBackend(FeedClient client, String password) {
        this.client = client;
        this.password = password;
    }

    private record Follow(Person follower, Person followee) {}

    @Override
    public Future<List<Person>> people(List<String> usernames) {
        return appToken()
                .compose(token -> BoundedParallel.each(usernames, SIGN_UPS_AT_ONCE, name -> signUp(name, token)));
    }

    @Override
    public Future<Void> follows(List<Person> people, SocialGraph graph) {
        List<Follow> follows = new ArrayList<>();
        for (int user = 0; user < graph.users(); user++) {
            for (int followee : graph.followees(user)) {
                follows.add(new Follow(people.get(user), people.get(followee)));
            }
        }
        return BoundedParallel.each(follows, FOLLOWS_AT_ONCE, this::follow).mapEmpty();
    }

    @Override
    public Future<Boolean> quiet() {
        return Future.succeededFuture(true);
    }

    @Override
    public boolean seesQuiet() {
        return false;
    }

    @Override
    public Future<List<Long>> home(Person reader, int max) {
        return homeFrom(reader, "/api/v1/timelines/home?limit=" + PAGE, max, new ArrayList<>());
    }

    @Override
    public Future<List<Person>> lacking(List<Person> readers, long status) {
        return BoundedParallel.each(readers, FOLLOWS_AT_ONCE, reader -> shows(reader, status))
                .map(shown -> {
                    List<Person> lacking = new ArrayList<>();
                    for (int i = 0; i < readers.size(); i++) {
                        if (!shown.get(i)) {
                            lacking.add(readers.get(i));
                        }
                    }
                    return lacking;
                });
    }

    @Override
    public Future<OptionalLong> homesBuilt() {
        return Future.succeededFuture(OptionalLong.empty());
    }

    @Override
    public Future<Long> pulledAuthors() {
        return Future.succeededFuture(0L);
    }

    @Override
    public String means() {
        return "over HTTP";
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }

    private Future<String> appToken() {
        JsonObject app = new JsonObject()
                .put("client_name", "fanfare replay")
                .put("redirect_uris", "urn:ietf:wg:oauth:2.0:oob")
                .put("scopes", "read write follow");
        return client.require(Call.post("/api/v1/apps", null, app))
                .compose(answer -> {
                    JsonObject made = answer.body().toJsonObject();
                    JsonObject grant = new JsonObject()
                            .put("grant_type", "client_credentials")
                            .put("client_id", made.getString("client_id"))
                            .put("client_secret", made.getString("client_secret"))
                            .put("scope", "read write follow");
                    return client.require(Call.post("/oauth/token", null, grant));
                })
                .map(answer -> answer.body().toJsonObject().getString("access_token"));
    }

    private Future<Person> signUp(String username, String appToken) {
        JsonObject request = new JsonObject()
                .put("username", username)
                .put("email", username + "@replay.invalid")
                .put("password", password)
                .put("agreement", true)
                .put("locale", "en");
        return client.require(Call.post("/api/v1/accounts", appToken, request))
                .map(answer -> answer.body().toJsonObject().getString("access_token"))
                .compose(token -> client.require(Call.get("/api/v1/accounts/verify_credentials", token))
                        .map(answer -> new Person(username, id(answer.body().toJsonObject()), token)));
    }

    private Future<Answer> follow(Follow follow) {
        return client.require(Call.post(
                "/api/v1/accounts/" + follow.followee().id() + "/follow",
                follow.follower().token(),
                new JsonObject()));
    }

    private Future<List<Long>> homeFrom(Person reader, String path, int max, List<Long> ids) {
        return client.require(Call.get(path, reader.token())).compose(answer -> {
            JsonArray page = answer.body().toJsonArray();
            for (int i = 0; i < page.size(); i++) {
                ids.add(id(page.getJsonObject(i)));
            }
            boolean more = answer.next() != null && ids.size() < max;
            return more
                    ? homeFrom(reader, answer.next(), max, ids)
                    : Future.succeededFuture(ids.size() > max ? List.copyOf(ids.subList(0, max)) : ids);
        });
    }

    private Future<Boolean> shows(Person reader, long status) {
        return client.require(Call.get("/api/v1/timelines/home?limit=1&min_id=" + (status - 1), reader.token()))
                .map(answer -> {
                    JsonArray page = answer.body().toJsonArray();
                    return !page.isEmpty() && id(page.getJsonObject(0)) == status;
                });
    }

    private static long id(JsonObject entity) {
        return Long.parseLong(entity.getString("id"));
    }
}
