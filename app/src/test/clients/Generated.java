import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import fanfare.client.ApiClient;
import fanfare.client.ApiException;
import fanfare.client.api.*;
import fanfare.client.model.*;
import fanfare.client.model.Error;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The Java client that openapi-generator makes of /openapi.yaml (library native): two people sign up with it and use the
 * server. Of each answer the client must keep all: encoded again it is what the server has sent.
 * Called with HOST:PORT ANN BOB PASSWORD; prints each failing check, then "N checks, M failed".
 */
final class Generated {
    /** A dot. */
    private static final String PICTURE =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    private static final long PATIENCE = 15_000; // ms, for what reaches others through the queue

    private static int checks;
    private static int failed;
    private static String answered;

    /**
     * Keeps the last answer as it was sent. Refuses what the client does not know: a mapper that reads any object as any other
     * cannot tell a status from a scheduled one.
     */
    private static final class Hearing extends ObjectMapper {
        Hearing() {
            super(ApiClient.createDefaultObjectMapper());
            enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        }

        @Override
        public ObjectMapper copy() {
            return new Hearing();
        }

        @Override
        public <T> T readValue(String json, TypeReference<T> type) throws JsonProcessingException {
            answered = json;
            return super.readValue(json, type);
        }
    }

    /** The operations that a token allows. */
    private static final class As {
        final AppsApi apps;
        final AccountsApi accounts;
        final RelationshipsApi relationships;
        final StatusesApi statuses;
        final TimelinesApi timelines;
        final NotificationsApi notifications;
        final MediaApi media;
        final ListsApi lists;
        final FiltersApi filters;
        final ArticlesApi articles;
        final InstanceApi instance;
        final SearchApi searching;

        As(String host, Token token) {
            ApiClient client = new ApiClient();
            client.updateBaseUri("http://" + host);
            client.setObjectMapper(new Hearing());
            if (token != null) {
                client.setRequestInterceptor(
                        request -> request.header("Authorization", "Bearer " + token.getAccessToken()));
            }
            apps = new AppsApi(client);
            accounts = new AccountsApi(client);
            relationships = new RelationshipsApi(client);
            statuses = new StatusesApi(client);
            timelines = new TimelinesApi(client);
            notifications = new NotificationsApi(client);
            media = new MediaApi(client);
            lists = new ListsApi(client);
            filters = new FiltersApi(client);
            articles = new ArticlesApi(client);
            instance = new InstanceApi(client);
            searching = new SearchApi(client);
        }
    }

    public static void main(String[] words) {
        try {
            script(words[0], words[1], words[2], words[3]);
        } catch (Exception e) { // What a failed check should have given is missing further on.
            checks++;
            report("the rest of the script", e);
        }
        System.out.println(checks + " checks, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void report(String call, Object answer) {
        failed++;
        System.out.println("FAILED  " + call + "\n  answer: " + answer);
    }

    /** The call answers, and what it answers is right; the answer, null when there was none. */
    private static <T> T check(String call, Callable<T> ask, Predicate<T> holds) {
        checks++;
        T answer = null;
        try {
            answer = ask.call();
            if (!holds.test(answer)) {
                report(call, answer);
            }
        } catch (Exception e) { // Whatever it is, it is the answer.
            report(call, e);
        }
        return answer;
    }

    /** The call answers, and the client has read all of the answer. */
    private static <T> T whole(String call, Callable<T> ask, Predicate<T> holds) {
        T read = check(call, ask, holds);
        ObjectMapper mapper = ApiClient.createDefaultObjectMapper();
        String sent = answered;
        check(
                call + ": nothing of " + sent + " is lost",
                () -> mapper.readTree(mapper.writeValueAsString(read)),
                it -> {
                    try {
                        return it.equals(mapper.readTree(sent));
                    } catch (JsonProcessingException e) {
                        throw new IllegalStateException(e);
                    }
                });
        return read;
    }

    private static <T> T whole(String call, Callable<T> ask) {
        return whole(call, ask, it -> true);
    }

    /** check, after some time. */
    private static <T> void soon(String call, Callable<T> ask, Predicate<T> holds) throws Exception {
        long end = System.currentTimeMillis() + PATIENCE;
        while (System.currentTimeMillis() < end && !holds.test(ask.call())) {
            Thread.sleep(200);
        }
        check(call, ask, holds);
    }

    /** The call fails with this status and with an error that the client reads. */
    private static void fails(String call, Callable<?> ask, int status, Predicate<Error> holds) {
        check(
                call,
                () -> {
                    try {
                        return ask.call();
                    } catch (ApiException e) {
                        return e;
                    }
                },
                it -> {
                    try {
                        return it instanceof ApiException e
                                && e.getCode() == status
                                && holds.test(
                                        ApiClient.createDefaultObjectMapper().readValue(e.getResponseBody(), Error.class));
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    /** @param key the Idempotency-Key; null = none */
    private static Token signUp(As app, String name, String password, String key) throws ApiException {
        return app.accounts.createAccount(
                new SignUp().username(name).email(name + "@example.org").password(password).agreement(true), key);
    }

    private static void script(String host, String ann, String bob, String password) throws Exception {
        As everybody = new As(host, null);
        CredentialApplication app = whole("createApp", () -> everybody.apps.createApp(new NewApp()
                .clientName("generated")
                .redirectUris("urn:ietf:wg:oauth:2.0:oob")
                .scopes("read write follow")));
        As ofApp = new As(host, whole("createToken", () -> everybody.apps.createToken(new TokenRequest()
                .grantType(TokenRequest.GrantTypeEnum.CLIENT_CREDENTIALS)
                .clientId(app.getClientId())
                .clientSecret(app.getClientSecret())
                .scope("read write follow"))));
        whole("verifyApp", () -> ofApp.apps.verifyApp(), it -> it.getName().equals("generated"));
        As one = new As(host, whole("createAccount", () -> signUp(ofApp, ann, password, "first")));
        As two = new As(host, whole("createAccount of another", () -> signUp(ofApp, bob, password, null)));
        whole("createAccount again with its key", () -> signUp(ofApp, ann, password, "first"));
        fails("createAccount of a taken name", () -> signUp(ofApp, ann, password, null), 422,
                it -> it.getDetails().get("username").get(0).getError().equals("ERR_TAKEN"));

        CredentialAccount me = whole("verifyCredentials", () -> one.accounts.verifyCredentials(),
                it -> it.getUsername().equals(ann) && it.getSource().getPrivacy() == Visibility.PUBLIC);
        String my = me.getId();
        whole("updateCredentials",
                () -> one.accounts.updateCredentials(new Profile().displayName("Ann").note("Generated")),
                it -> it.getDisplayName().equals("Ann"));
        whole("showAccount", () -> everybody.accounts.showAccount(my), it -> it.getDisplayName().equals("Ann"));
        whole("followAccount", () -> two.relationships.followAccount(my, null), it -> it.getFollowing());
        whole("listRelationships", () -> two.relationships.listRelationships(List.of(my)), it -> it.get(0).getFollowing());
        whole("listFollowers", () -> one.relationships.listFollowers(my, null, null, null, null),
                it -> it.get(0).getUsername().equals(bob));

        Path file = Files.write(Path.of("dot.png"), Base64.getDecoder().decode(PICTURE));
        MediaAttachment picture = whole("createMedia", () -> one.media.createMedia(file.toFile(), file.toFile(), "A dot", null),
                it -> it.getType().getValue().equals("image"));
        String words = "Generated #" + ann + " for @" + bob;
        String id = whole("createStatus", () -> one.statuses.createStatus(new NewStatus()
                        .status(words)
                        .mediaIds(List.of(picture.getId()))
                        .spoilerText("Java"), null))
                .getStatus()
                .getId();
        whole("showStatus", () -> everybody.statuses.showStatus(id),
                it -> it.getContent().contains("Generated")
                        && it.getMentions().get(0).getUsername().equals(bob)
                        && it.getMediaAttachments().get(0).getDescription().equals("A dot"));
        whole("editStatus", () -> one.statuses.editStatus(id, new StatusWords().status(words + ", edited")),
                it -> it.getEditedAt() != null);
        whole("listEdits", () -> one.statuses.listEdits(id), it -> it.size() == 2);
        whole("showSource", () -> one.statuses.showSource(id), it -> it.getText().endsWith("edited"));
        Status asked = whole("createStatus with a poll", () -> one.statuses.createStatus(new NewStatus()
                        .status("Which?")
                        .poll(new NewStatusPoll().options(List.of("this", "that")).expiresIn(3600)), null))
                .getStatus();
        whole("votePoll", () -> two.statuses.votePoll(asked.getPoll().getId(), new Vote().choices(List.of(1))),
                it -> it.getVoted() && it.getOptions().get(1).getVotesCount() == 1);
        ScheduledStatus later = whole("createStatus for later", () -> one.statuses.createStatus(new NewStatus()
                        .status("Later")
                        .inReplyToId(id)
                        .scheduledAt(Instant.now().plusSeconds(3600).toString()), null))
                .getScheduledStatus();
        whole("showScheduledStatus", () -> one.statuses.showScheduledStatus(later.getId()),
                it -> it.getParams().getText().equals("Later")
                        && it.getParams().getInReplyToId() == Long.parseLong(id));
        whole("createArticle",
                () -> one.articles.createArticle(
                        new NewArticle().title("Generated").link("https://example.org/"), null),
                it -> it.getArticle().getTitle().equals("Generated"));

        whole("favouriteStatus", () -> two.statuses.favouriteStatus(id),
                it -> it.getFavourited() && it.getFavouritesCount() == 1);
        whole("reblogStatus", () -> two.statuses.reblogStatus(id, null, null), it -> it.getReblog().getId().equals(id));
        whole("createStatus that quotes",
                () -> two.statuses.createStatus(new NewStatus().status("As said").quotedStatusId(id), null),
                it -> it.getStatus().getQuote() != null);
        whole("createStatus that replies",
                () -> two.statuses.createStatus(new NewStatus().status("@" + ann + " Hello").inReplyToId(id), null));
        whole("createStatus to one", () -> two.statuses.createStatus(new NewStatus()
                .status("@" + ann + " Psst")
                .visibility(NewStatus.VisibilityEnum.DIRECT), null));
        soon("showContext has the reply", () -> one.statuses.showContext(id), it -> it.getDescendants().size() == 1);
        whole("showContext", () -> one.statuses.showContext(id));

        Callable<List<Status>> home = () -> two.timelines.showHome(null, null, null, null);
        soon("showHome has all", home,
                it -> it.stream().anyMatch(status -> status.getId().equals(id))
                        && it.stream().anyMatch(status -> status.getArticle() != null));
        whole("showHome", home);
        Callable<List<Notification>> told =
                () -> one.notifications.listNotifications(null, null, null, null, null, null, null, null);
        soon("listNotifications has all", told,
                it -> it.stream().map(notification -> notification.getType().getValue()).collect(Collectors.toSet())
                        .containsAll(Set.of("favourite", "follow", "mention", "quote", "reblog")));
        whole("listNotifications", told);
        whole("listGroupedNotifications",
                () -> one.notifications.listGroupedNotifications(
                        null, null, null, null, null, null, null, null, null, null),
                it -> !it.getNotificationGroups().isEmpty());
        Callable<List<Conversation>> conversations = () -> one.statuses.listConversations(null, null, null, null);
        soon("listConversations has one", conversations, it -> it.size() == 1);
        whole("listConversations", conversations);
        whole("showPublic", () -> everybody.timelines.showPublic(null, null, null, null, null, null, null),
                it -> !it.isEmpty());
        whole("showTag", () -> everybody.timelines.showTag(ann, null, null, null, null, null, null, null, null, null, null),
                it -> it.get(0).getId().equals(id));
        whole("listAccountStatuses",
                () -> two.timelines.listAccountStatuses(my, null, null, null, null, null, null, null, null, null),
                it -> it.size() > 1);
        whole("search", () -> two.searching.search(ann, null, null, null, null, null, null, null, null),
                it -> it.getAccounts().get(0).getId().equals(my)
                        && it.getHashtags().get(0).getName().equals(ann));
        whole("setMarkers", () -> one.timelines.setMarkers(new ReadUpTo().home(new ReadUpToHome().lastReadId(id))),
                it -> it.getHome().getLastReadId().equals(id));
        whole("createList",
                () -> two.lists.createList(new NewList().title("Generated").repliesPolicy(NewList.RepliesPolicyEnum.NONE)),
                it -> it.getRepliesPolicy().getValue().equals("none"));
        whole("createFilter", () -> two.filters.createFilter(new NewFilter()
                        .title("Generated")
                        .context(List.of(NewFilter.ContextEnum.HOME))
                        .keywordsAttributes(List.of(new NewFilterKeywordsAttributesInner().keyword("edited")))),
                it -> it.getExpiresAt() == null && it.getKeywords().get(0).getKeyword().equals("edited"));
        whole("showStatus that a filter matches", () -> two.statuses.showStatus(id),
                it -> it.getFiltered().get(0).getKeywordMatches().equals(List.of("edited")));
        whole("showInstance", () -> everybody.instance.showInstance());
        whole("showInstanceV2", () -> everybody.instance.showInstanceV2(),
                it -> it.getApiVersions().getMastodon() >= 7);

        whole("deleteStatus", () -> one.statuses.deleteStatus(id, null, null), it -> it.getText().endsWith("edited"));
        fails("showStatus of what is gone", () -> two.statuses.showStatus(id), 404,
                it -> it.getError().startsWith("Record not found"));
        fails("verifyCredentials without a token", () -> everybody.accounts.verifyCredentials(), 401,
                it -> it.getError().contains("token"));
        fails("createStatus without words",
                () -> one.statuses.createStatus(new NewStatus().status(""), null), 422,
                it -> it.getDetails().get("text").get(0).getError().equals("ERR_BLANK"));
    }
}
