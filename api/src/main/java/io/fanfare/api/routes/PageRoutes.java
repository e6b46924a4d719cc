package io.fanfare.api.routes;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.HtmlPage;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.request.SignUp;
import io.fanfare.common.feed.PublicTimelines;
import io.fanfare.common.feed.PublicTimelines.Tags;
import io.fanfare.common.feed.Timelines;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.text.Html;
import io.fanfare.common.text.TextEntities;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the URLs of accounts, statuses and tags show to whoever follows such a link in a browser: what everybody may
 * see, and nothing to be done with it.
 */
public final class PageRoutes {
    private static final int LIMIT = 20;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Accounts accounts;
    private final Timelines timelines;
    private final PublicTimelines everybodys;
    private final VisibleStatuses visible;

    public PageRoutes(
            Settings.Limits limits,
            String publicUrl,
            Accounts accounts,
            Timelines timelines,
            PublicTimelines everybodys,
            VisibleStatuses visible) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.accounts = accounts;
        this.timelines = timelines;
        this.everybodys = everybodys;
        this.visible = visible;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/@:id", Access.OPEN, this::account),
                get("/@:name/:id", Access.OPEN, this::status),
                get("/tags/:id", Access.OPEN, this::tag));
    }

    private Future<Answer> account(Call call) {
        String name = SignUp.folded(call.pathId());
        if (!Account.isUsername(name)) {
            throw Refusal.unknown();
        }
        return accounts.require(name).compose(account -> timelines
                .profile(account.id(), 0, page(call), status -> status.kind() != Post.Kind.REPOST)
                .compose(read -> list(call, title(account), about(account), read)));
    }

    private Future<Answer> status(Call call) {
        return visible.subject(0, call.id())
                .compose(status -> authors(List.of(status)).map(people -> {
                    String article = article(status, people);
                    return HtmlPage.of(title(people.get(status.authorId())), article);
                }));
    }

    private Future<Answer> tag(Call call) {
        String tag = TextEntities.tag(call.pathId());
        if (tag == null) {
            throw Refusal.unknown();
        }
        String title = "#" + tag;
        return everybodys
                .tagged(new Tags(Set.of(tag), Set.of(), Set.of()), 0, page(call))
                .compose(read -> list(call, title, "<h1>" + Html.escaped(title) + "</h1>", read));
    }

    private PageRequest page(Call call) {
        return call.parameters().page(LIMIT, limits.pageMax());
    }

    private Future<Answer> list(Call call, String title, String head, Page<Status> page) {
        return authors(page.items()).map(people -> {
            StringBuilder html = new StringBuilder(head);
            page.items().stream()
                    .filter(status -> people.containsKey(status.authorId()))
                    .forEach(status -> html.append(article(status, people)));
            if (page.next() != 0) {
                html.append("<p><a rel=\"next\" href=\"?max_id=")
                        .append(page.next())
                        .append("\">Older</a></p>");
            }
            return HtmlPage.of(title, html.toString()).link(Links.of(publicUrl, call, page));
        });
    }

    private Future<Map<Long, Account>> authors(List<Status> statuses) {
        Set<Long> ids = new LinkedHashSet<>();
        for (Status status : statuses) {
            ids.add(status.authorId());
            if (status.post().isQuote()) {
                ids.add(status.post().original().accountId());
            }
        }
        return accounts.load(ids);
    }

    private static String title(Account account) {
        return account.displayName().isEmpty()
                ? "@" + account.username()
                : account.displayName() + " (@" + account.username() + ")";
    }

    private static String about(Account account) {
        return "<h1>" + Html.escaped(title(account)) + "</h1>" + Html.of(account.note()) + "<p>"
                + count(account.statusesCount(), "post") + ", " + account.followingCount() + " following, "
                + count(account.followersCount(), "follower") + "</p>";
    }

    private String article(Status status, Map<Long, Account> people) {
        Account author = people.get(status.authorId());
        if (author == null) {
            throw Refusal.unknown();
        }
        String time = Views.time(Id.epochMillis(status.id()));
        String content = Html.of(status.post().content(), publicUrl);
        String warning = status.post().content().spoilerText();
        return "<article><p>" + link("/@" + author.username(), title(author)) + " "
                + link("/@" + author.username() + "/" + status.id(), time) + "</p>"
                + (warning.isEmpty()
                        ? content
                        : "<details><summary>" + Html.escaped(warning) + "</summary>" + content + "</details>")
                + quoted(status.post(), people)
                + "<p>" + count(status.counters().comments(), "comment") + ", "
                + count(status.counters().reposts(), "repost") + ", "
                + count(status.counters().likes(), "like") + "</p></article>";
    }

    /** Where the quoted status is; whether it can be seen shows there. */
    private String quoted(Post post, Map<Long, Account> people) {
        Reference original = post.isQuote() ? post.original() : null;
        Account author = original == null ? null : people.get(original.accountId());
        if (author == null) {
            return "";
        }
        String path = "/@" + author.username() + "/" + original.statusId();
        return "<p>RE: " + link(path, publicUrl + path) + "</p>";
    }

    private String link(String path, String text) {
        return "<a href=\"" + Html.escaped(publicUrl + path) + "\">" + Html.escaped(text) + "</a>";
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
