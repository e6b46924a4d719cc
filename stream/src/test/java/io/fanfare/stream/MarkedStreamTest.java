package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.UserFilter;
import io.fanfare.common.model.UserFilter.Context;
import io.fanfare.common.model.UserList;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.store.UserFilters.FilterChange;
import io.fanfare.common.store.UserFilters.KeywordChange;
import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Matches of viewers' filters, on Mastodon's streams and the native home of a node with two event loops. */
class MarkedStreamTest extends OnEveryRedis {
    private static final String USER = "/api/v1/streaming/user";
    private static final String PUBLIC = "/api/v1/streaming/public";
    private static final String HOME = "/api/v1/streaming/home";

    private static int numbers;

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        server = StreamServer.startClosed(kind.redis(), "stream.connections-max=40", "stream.per-token-max=100");
    }

    private static SseClient open(long viewer, String path) {
        SseClient client = server.get(0, path, bearer(viewer));
        awaitUntil("open", () -> client.raw().startsWith(":)"));
        return client;
    }

    @CanIgnoreReturnValue
    private static UserFilter filter(long owner, String keyword) {
        FilterChange wanted = new FilterChange(
                "Birds",
                List.of(Context.HOME),
                UserFilter.Action.HIDE,
                null,
                /* alone= */ false,
                List.of(KeywordChange.add(keyword, true)));
        return await(server.filters.create(owner, wanted)).filter();
    }

    /** A status with that text; answers what its JSON begins with. */
    private static String post(long author, String text, String original, long originalAuthor) {
        String head = "{\"n\":" + ++numbers;
        String inside = original.isEmpty()
                ? "null"
                : "{\"spoiler_text\":\"\",\"media_attachments\":[{\"description\":\"a stork\"}]}";
        return append(
                author,
                text,
                original,
                originalAuthor,
                head,
                ",\"spoiler_text\":\"\",\"media_attachments\":[],\"reblog\":" + inside + "}");
    }

    private static String append(
            long author, String text, String original, long originalAuthor, String head, String rest) {
        MatchFields fields = new MatchFields(
                original.isEmpty() ? Post.Kind.POST : Post.Kind.REPOST,
                original.isEmpty() ? List.of() : List.of((long) numbers),
                text,
                originalAuthor,
                original,
                0,
                0,
                List.of(),
                List.of(),
                null,
                null);
        server.append(server.status(author, Visibility.PUBLIC, fields, head + rest));
        return head;
    }

    private static String frame(SseClient client, String head) {
        return frame(client, "update", head);
    }

    private static String frame(SseClient client, String event, String head) {
        List<String> found = new ArrayList<>();
        awaitUntil("told " + head, () -> client.messages(event).stream()
                .map(SseClient.Message::data)
                .filter(data -> data.startsWith(head + ","))
                .peek(found::add)
                .findFirst()
                .isPresent());
        return found.get(0);
    }

    @Test
    void aStatusThatAFilterMatchesSaysSoToWhoseFilterItIsAlone() {
        long ann = server.newUser();
        long bob = server.newUser();
        long author = server.newUser();
        await(server.follows.follow(ann, author));
        await(server.follows.follow(bob, author));
        UserFilter filter = filter(ann, "owl");
        List<SseClient> marked = new ArrayList<>();
        List<SseClient> plain = new ArrayList<>();
        for (int i = 0; i < 4; i++) { // Some on either loop.
            marked.add(open(ann, USER));
            marked.add(open(ann, PUBLIC));
            plain.add(open(bob, USER));
            plain.add(open(bob, PUBLIC));
        }
        String owl = post(author, "An OWL!", "", 0);
        String jay = post(author, "A jay", "", 0);
        for (SseClient client : marked) {
            assertThat(frame(client, owl))
                    .contains("\"filtered\":[{\"filter\":{\"id\":\"" + filter.id() + "\",\"title\":\"Birds\"")
                    .contains("\"filter_action\":\"hide\"}")
                    .contains("\"keyword_matches\":[\"OWL\"],\"status_matches\":null}]");
            assertThat(frame(client, jay)).doesNotContain("filtered");
        }
        for (SseClient client : plain) {
            assertThat(frame(client, owl)).doesNotContain("filtered");
        }
        String own = post(ann, "my owl", "", 0);
        assertThat(frame(marked.get(0), own)).doesNotContain("filtered");
    }

    @Test
    void theNativeHomeSaysSoAsWellAndAfterAReconnectToo() {
        long ann = server.newUser();
        long bob = server.newUser();
        long author = server.newUser();
        await(server.follows.follow(ann, author));
        await(server.follows.follow(bob, author));
        filter(ann, "owl");
        SseClient first = server.get(0, HOME, bearer(ann));
        SseClient other = server.get(0, HOME, bearer(bob));
        awaitUntil(
                "open",
                () -> first.messages("hello").size() + other.messages("hello").size() == 2);
        String owl = post(author, "An OWL!", "", 0);
        String jay = post(author, "A jay", "", 0);
        assertThat(frame(first, "status", owl))
                .contains("\"filtered\":[{\"filter\":{\"id\":")
                .contains("\"keyword_matches\":[\"OWL\"]");
        assertThat(frame(first, "status", jay)).doesNotContain("filtered");
        assertThat(frame(other, "status", owl)).doesNotContain("filtered");
        String cursor = first.messages("hello").get(0).id();
        SseClient again = server.get(0, HOME + "?cursor=" + cursor, bearer(ann));
        assertThat(frame(again, "status", owl)).contains("\"keyword_matches\":[\"OWL\"]");
        assertThat(frame(again, "status", jay)).doesNotContain("filtered");
    }

    @Test
    void aPollIsJudgedByItsOptions() {
        long ann = server.newUser();
        long author = server.newUser();
        await(server.follows.follow(ann, author));
        filter(ann, "stork");
        SseClient client = open(ann, USER);
        String head = "{\"n\":" + ++numbers;
        String marked = append(
                author,
                "which?",
                "",
                0,
                head,
                ",\"spoiler_text\":\"\",\"media_attachments\":[],\"reblog\":null,"
                        + "\"poll\":{\"options\":[{\"title\":\"a jay\"},{\"title\":\"a Stork\"}]}}");

        assertThat(frame(client, marked)).contains("\"keyword_matches\":[\"Stork\"]");
    }

    @Test
    void aRepostIsJudgedByWhatItShows() {
        long ann = server.newUser();
        long author = server.newUser();
        await(server.follows.follow(ann, author));
        filter(ann, "stork");
        SseClient client = open(ann, USER);
        String repost = post(author, "", "nothing", author);
        assertThat(frame(client, repost).split("\"filtered\"", -1)).hasSize(3).anyMatch(part -> part.contains("stork"));
        String own = post(author, "", "nothing", ann);
        assertThat(frame(client, own)).doesNotContain("filtered");
    }

    @Test
    void anOpenStreamReceivesEachChangeAndAppliesIt() throws Exception {
        long ann = server.newUser();
        long author = server.newUser();
        await(server.follows.follow(ann, author));
        List<SseClient> clients = List.of(open(ann, USER), open(ann, USER), open(ann, USER), open(ann, USER));
        SseClient other = open(ann, PUBLIC);
        Talker talker = new Talker();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Authorization", "Bearer " + server.token(ann, "read"))
                .buildAsync(URI.create("ws://127.0.0.1:" + server.port(0) + "/api/v1/streaming?stream=user"), talker)
                .get(60, TimeUnit.SECONDS);
        awaitUntil("open", () -> server.connections(0) == clients.size() + 2);

        UserFilter filter = filter(ann, "owl");
        changed(clients, talker, 1);
        String owl = post(author, "an owl", "", 0);
        for (SseClient client : clients) {
            assertThat(frame(client, owl)).contains("\"filtered\"");
        }
        awaitUntil("told", () -> talker.messages.stream().anyMatch(text -> text.contains("\\\"filtered\\\"")));
        await(server.filters.remove(ann, filter.id(), UserFilters.Kind.FILTER));
        changed(clients, talker, 2);
        String second = post(author, "an owl", "", 0);
        for (SseClient client : clients) {
            assertThat(frame(client, second)).doesNotContain("\"filtered\"");
        }
        // What is no change of filters is told to nobody, and other streams are told of none.
        await(server.lists.create(ann, "list", UserList.Replies.LIST, false));
        String third = post(author, "a jay", "", 0);
        assertThat(frame(clients.get(0), third)).isNotEmpty();
        assertThat(clients.get(0).messages("filters_changed")).hasSize(2).allMatch(message -> message.data()
                .equals("undefined"));
        assertThat(frame(other, third)).isNotEmpty();
        assertThat(other.messages("filters_changed")).isEmpty();
        assertThat(talker.messages).contains("{\"stream\":[\"user\"],\"event\":\"filters_changed\"}");
        socket.abort();
    }

    private static void changed(List<SseClient> clients, Talker talker, int times) {
        for (SseClient client : clients) {
            awaitUntil("changed", () -> client.messages("filters_changed").size() == times);
        }
        awaitUntil(
                "changed",
                () -> talker.messages.stream()
                                .filter(text -> text.contains("filters_changed"))
                                .count()
                        == times);
    }

    private static final class Talker implements WebSocket.Listener {
        private final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            messages.add(data.toString());
            socket.request(1);
            return null;
        }
    }
}
