package io.fanfare.api.article;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import io.fanfare.api.article.RankedPages.Place;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Articles.Ranked;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.core.posting.NewPost;
import io.fanfare.core.posting.Posting;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Articles: publish, vote, rankings, groups. To read, like or delete one, its status is asked for. */
public final class ArticleRoutes {
    private static final int LIMIT = 25;
    private static final int TRENDS_LIMIT = 20;
    private static final int ACCOUNTS_LIMIT = 40;
    private static final int GROUPS_LIMIT = 40;

    /** How far into a list a client may begin by number: what is skipped is read. */
    private static final int TRENDS_OFFSET_MAX = 200;

    private static final int GROUPS_OFFSET_MAX = 1_000_000;

    /** A place in a ranking: score and id. */
    private static final Pattern PLACE = Pattern.compile("(\\d{1,15})-(\\d{1,16})");

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Posting posting;
    private final Articles articles;
    private final ArticleLists lists;
    private final RankedPages ranked;
    private final Timelines timelines;
    private final VisibleStatuses visible;
    private final StatusRenderer renderer;
    private final AccountRenderer accountRenderer;

    public ArticleRoutes(
            Settings.Limits limits,
            String publicUrl,
            Posting posting,
            Articles articles,
            ArticleLists lists,
            RankedPages ranked,
            Timelines timelines,
            VisibleStatuses visible,
            StatusRenderer renderer,
            AccountRenderer accountRenderer) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.posting = posting;
        this.articles = articles;
        this.lists = lists;
        this.ranked = ranked;
        this.timelines = timelines;
        this.visible = visible;
        this.renderer = renderer;
        this.accountRenderer = accountRenderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/articles", Access.viewer("read:statuses"), this::list),
                post("/api/v1/articles", Access.user("write:statuses"), this::publish),
                get("/api/v1/articles/best", Access.viewer("read:statuses"), this::best),
                get("/api/v1/articles/:id", Access.viewer("read:statuses"), this::show),
                post("/api/v1/articles/:id/vote", Access.user("write:favourites"), this::vote)
                        .withoutBody(),
                get("/api/v1/articles/:id/voters", Access.viewer("read:accounts"), this::voters),
                put("/api/v1/articles/:id/groups/:name", Access.user("write:statuses"), this::putIntoGroup)
                        .withoutBody(),
                delete("/api/v1/articles/:id/groups/:name", Access.user("write:statuses"), this::takeOutOfGroup),
                get("/api/v1/groups", Access.viewer("read:statuses"), this::groups),
                get("/api/v1/groups/:name/articles", Access.viewer("read:statuses"), this::ofGroup),
                get("/api/v1/trends/statuses", Access.viewer("read:statuses"), this::trends));
    }

    private Future<Answer> publish(Call call) {
        NewArticle article = NewArticle.of(call.parameters(), limits.textMax());
        NewPost request = new NewPost(
                call.viewer(),
                article.status().words(),
                new NewPost.AsArticle(article.article()),
                call.principal().application(),
                article.once(call.idempotencyKey()));
        return posting.publish(request).map(published -> Answer.json(renderer.published(published)));
    }

    private Future<Answer> show(Call call) {
        return article(call).compose(article -> answer(call, article));
    }

    private Future<Answer> vote(Call call) {
        return article(call)
                .compose(article -> articles.vote(article, call.viewer()).map(article))
                .compose(article -> answer(call, article));
    }

    /** The article of the request; for a plain repost, its original. */
    private Future<Status> article(Call call) {
        return visible.subject(call.viewer(), call.id()).map(status -> {
            if (!status.isArticle()) {
                throw new Refusal(Refusal.Reason.NOT_FOUND, "Record not found: this status is no article.");
            }
            return status;
        });
    }

    private Future<Answer> answer(Call call, Status article) {
        return renderer.one(article, call.viewer()).map(body -> Answer.json(body));
    }

    private Future<Answer> voters(Call call) {
        PageRequest page = call.parameters().page(ACCOUNTS_LIMIT, limits.pageMax());
        return article(call)
                .compose(article -> accountRenderer.of(
                        List.of(article.authorId()),
                        call,
                        request -> articles.voters(article.id(), request),
                        page,
                        AccountRenderer.NOTHING_MORE));
    }

    private Future<Answer> putIntoGroup(Call call) {
        String group = group(call.pathName());
        return article(call)
                .compose(article ->
                        articles.putInto(group, article, call.viewer()).map(article))
                .compose(article -> answer(call, article));
    }

    private Future<Answer> takeOutOfGroup(Call call) {
        String group = group(call.pathName());
        return article(call)
                .compose(article ->
                        articles.takeOut(group, article, call.viewer()).map(article))
                .compose(article -> answer(call, article));
    }

    private static String group(String name) {
        String group = GroupName.folded(name);
        if (group == null) {
            throw new Refusal(Refusal.Reason.INVALID, "The name of a group " + GroupName.RULE + ".");
        }
        return group;
    }

    private Future<Answer> list(Call call) {
        String group = call.parameters().text("group", "");
        return list(call, group.isEmpty() ? "" : group(group));
    }

    private Future<Answer> ofGroup(Call call) {
        return list(call, group(call.pathName()));
    }

    private Future<Answer> list(Call call, String group) {
        return switch (call.parameters().text("order", "score")) {
            case "score" -> byScore(call, group);
            case "time" -> byTime(call, group);
            default -> throw new Refusal(Refusal.Reason.MALFORMED, "The parameter order must be score or time.");
        };
    }

    private Future<Answer> byTime(Call call, String group) {
        long began = timelines.moment();
        return lists.byTime(group, call.viewer(), call.parameters().page(LIMIT, limits.pageMax()), began)
                .compose(page -> renderer.list(page.items(), call.viewer(), began)
                        .map(body -> Answer.json(body).link(Links.of(publicUrl, call, page))));
    }

    private Future<Answer> byScore(Call call, String group) {
        int limit = call.parameters().number("limit", LIMIT, 1, limits.pageMax());
        Place place = new Place(group, place(call.parameters().text("max_id", "")), 0, limit);
        return ranked.page(place, call.viewer())
                .map(page -> Answer.json(page.body()).link(Links.next(publicUrl, call, place(page.next()))));
    }

    public static Optional<Ranked> place(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher place = PLACE.matcher(text);
        if (!place.matches()) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The parameter max_id must be one that the Link header of this list has, such as 1795251986-42.");
        }
        return Optional.of(new Ranked(Long.parseLong(place.group(2)), Long.parseLong(place.group(1))));
    }

    public static String place(Optional<Ranked> next) {
        return next.map(place -> place.score() + "-" + place.id()).orElse("");
    }

    private Future<Answer> best(Call call) {
        long began = timelines.moment();
        return lists.best(call.viewer(), began)
                .compose(best -> renderer.list(best, call.viewer(), began))
                .map(body -> Answer.json(body));
    }

    /** As Mastodon has it, with a number to begin at. */
    private Future<Answer> trends(Call call) {
        int limit = call.parameters().number("limit", TRENDS_LIMIT, 1, limits.pageMax());
        int offset = call.parameters().number("offset", 0, 0, TRENDS_OFFSET_MAX);
        return ranked.page(new Place("", Optional.empty(), offset, limit), call.viewer())
                .map(page -> Answer.json(page.body()));
    }

    private Future<Answer> groups(Call call) {
        int limit = call.parameters().number("limit", GROUPS_LIMIT, 1, limits.pageMax());
        int offset = call.parameters().number("offset", 0, 0, GROUPS_OFFSET_MAX);
        return articles.groups(offset, limit)
                .map(groups -> Answer.array(groups, (json, group) -> {
                    json.writeStartObject();
                    json.writeStringField("name", group.name());
                    json.writeNumberField("articles_count", group.articles());
                    json.writeEndObject();
                }));
    }
}
