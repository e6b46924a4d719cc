package io.fanfare.api.web;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.web.WebRoutes.words;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.oauth.SignUp;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.text.TextEntities;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.Views;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.feed.PublicTimelines.Tags;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.server.http.SessionCookie;
import io.fanfare.web.PageRenderer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Pages that can be read without scripts, and their feeds: what everybody may see. The rest is to everybody as if it
 * did not exist, also to those who are logged in. The scripts of the web client take over where there are any, and show
 * what their reader may see.
 */
public final class PageRoutes {
    private static final int LIMIT = 20;

    /** Lists of an account, which the scripts show. */
    private static final Set<String> LISTS = Set.of("followers", "following");

    private final Settings.Limits limits;
    private final String publicUrl;
    private final SessionCookie sessions;
    private final Accounts accounts;
    private final Timelines timelines;
    private final PublicTimelines everybodys;
    private final VisibleStatuses visible;
    private final StatusRenderer renderer;
    private final Views views;
    private final PageRenderer pages;

    public PageRoutes(
            Settings.Limits limits,
            String publicUrl,
            SessionCookie sessions,
            Accounts accounts,
            Timelines timelines,
            PublicTimelines everybodys,
            VisibleStatuses visible,
            StatusRenderer renderer,
            Views views,
            PageRenderer pages) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.sessions = sessions;
        this.accounts = accounts;
        this.timelines = timelines;
        this.everybodys = everybodys;
        this.visible = visible;
        this.renderer = renderer;
        this.views = views;
        this.pages = pages;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/", Access.OPEN, this::front),
                get("/@:id", Access.OPEN, call -> orMissing(call, this::account)),
                get("/@:name/:id", Access.OPEN, call -> orMissing(call, this::status)),
                get("/tags/:id", Access.OPEN, call -> orMissing(call, this::tag)));
    }

    /**
     * The front page. A logged-in browser gets the empty shell, in which the scripts show the home: no other page must
     * flash before it.
     */
    private Future<Answer> front(Call call) {
        if (sessions.isPresent(call.request())) {
            return Future.succeededFuture(
                    WebRoutes.page(pages, pages.shell(words(call))).header("Vary", "Accept-Language, Cookie"));
        }
        return everybodys
                .all(0, PageRequest.newest(LIMIT))
                .compose(read -> json(read.items()))
                .map(statuses ->
                        page(call, pages.landing(words(call), statuses)).header("Vary", "Accept-Language, Cookie"));
    }

    /**
     * A browser gets a page also of what is not there for everybody: its scripts show what its reader may see, such as
     * a post for followers. The page is the same for everybody, and says nothing of whether there is something.
     */
    private Future<Answer> orMissing(Call call, Function<Call, Future<Answer>> page) {
        return Future.succeededFuture(call).compose(page).recover(cause -> {
            if (cause instanceof Refusal refusal
                    && refusal.reason() == Refusal.Reason.NOT_FOUND
                    && NotFoundPages.isForPeople(call.request())) {
                return Future.succeededFuture(NotFoundPages.of(pages, words(call)));
            }
            return Future.failedFuture(cause);
        });
    }

    private Future<Answer> account(Call call) {
        boolean feed = call.pathId().endsWith(NotFoundPages.FEED);
        return accounts.require(username(withoutFeed(call.pathId()))).compose(account -> timelines
                .profile(account.id(), 0, pageRequest(call), status -> status.kind() != Post.Kind.REPOST)
                .compose(read -> json(read.items()).map(statuses -> {
                    JsonObject entity = entity(account);
                    return feed
                            ? feed(call, pages.profileFeed(entity, statuses))
                            : list(call, read, pages.profile(words(call), entity, statuses, next(read)));
                })));
    }

    private static String username(String text) {
        String name = SignUp.folded(text);
        if (!Account.isUsername(name)) {
            throw Refusal.unknown();
        }
        return name;
    }

    private Future<Answer> status(Call call) {
        if (LISTS.contains(call.pathId())) {
            return accounts.require(username(call.pathName())).map(known -> page(call, pages.shell(words(call))));
        }
        return visible.subject(0, call.id())
                .compose(status -> renderer.one(status, 0))
                .map(body -> page(call, pages.status(words(call), new JsonObject(Buffer.buffer(body)))));
    }

    private Future<Answer> tag(Call call) {
        boolean feed = call.pathId().endsWith(NotFoundPages.FEED);
        String tag = TextEntities.tag(withoutFeed(call.pathId()));
        if (tag == null) {
            throw Refusal.unknown();
        }
        return everybodys
                .tagged(new Tags(Set.of(tag), Set.of(), Set.of()), 0, pageRequest(call))
                .compose(read -> json(read.items())
                        .map(statuses -> feed
                                ? feed(call, pages.tagFeed(tag, statuses))
                                : list(call, read, pages.tag(words(call), tag, statuses, next(read)))));
    }

    private static String withoutFeed(String id) {
        return id.endsWith(NotFoundPages.FEED) ? id.substring(0, id.length() - NotFoundPages.FEED.length()) : id;
    }

    private PageRequest pageRequest(Call call) {
        return call.parameters().page(LIMIT, limits.pageMax());
    }

    private static String next(Page<Status> page) {
        return page.next() == 0 ? "" : "?max_id=" + page.next();
    }

    /** As the API shows them to everybody. */
    private Future<JsonArray> json(List<Status> statuses) {
        return renderer.list(statuses, 0).map(body -> new JsonArray(Buffer.buffer(body)));
    }

    private JsonObject entity(Account account) {
        return new JsonObject(Buffer.buffer(Json.bytes(json -> views.accounts().write(json, account))));
    }

    private Answer list(Call call, Page<Status> read, String html) {
        return page(call, html).link(Links.of(publicUrl, call, read));
    }

    private Answer page(Call call, String html) {
        return WebRoutes.page(pages, html).revalidated(call.request());
    }

    private static Answer feed(Call call, String xml) {
        return Answer.file("application/rss+xml; charset=utf-8", xml.getBytes(StandardCharsets.UTF_8))
                .revalidated(call.request());
    }
}
