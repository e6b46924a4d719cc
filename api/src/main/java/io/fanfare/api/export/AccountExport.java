package io.fanfare.api.export;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.export.ChunkSource.Step;
import io.fanfare.api.export.ZipStream.Entry;
import io.fanfare.api.oauth.App;
import io.fanfare.api.oauth.Apps;
import io.fanfare.api.post.Bookmarks;
import io.fanfare.api.post.Pins;
import io.fanfare.api.tag.FeaturedTags;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.Preferences;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.UserFilter;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.AddressChanges.Change;
import io.fanfare.common.store.Edges;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.UserLists;
import io.fanfare.common.view.FilterJson;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.fanfare.core.LoopStores;
import io.fanfare.core.account.Invitations;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.media.MediaStore;
import io.fanfare.redis.Command;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All that is an account's own as one ZIP file, in the form of Mastodon's archives with more beside it; README.txt in
 * it says what is where. Passwords and tokens are in no part of it, nor what others have written to the account. Memory
 * holds a page of statuses, a piece of a picture, and the names of all pictures: a ZIP file ends with a list of what is
 * in it. One event loop.
 */
public final class AccountExport {
    private static final int PAGE = 200;

    /** More are not in an archive. So many cost 28 MB at its end: their names, and the list that is made of them. */
    private static final int PICTURES_MAX = 50_000;

    private static final String README = """
            What @%s had on %s at %s.

            actor.json, outbox.json, likes.json, bookmarks.json, media_attachments, avatar, header
                as in an archive of Mastodon, in the words of ActivityStreams
            following_accounts.csv, blocked_accounts.csv, muted_accounts.csv, lists.csv, bookmarks.csv
                for the page "Import" of a Mastodon server
            followers.csv
                addresses, the newest follower first
            account.json
                the profile and the preferences, and whether there is a second factor, without its secret
            statuses.jsonl
                one post a line, as the API shows it, with its source text and, if it was edited, all of its
                versions: posts and boosts, the newest first, then direct messages and comments
            scheduled.json, held.json, filters.json, tags.json, lists.json, notes.json, relations.json,
            warnings.json, invitations.json
                what else there is: posts for later, posts that wait for a moderator, filters, hashtags that are
                followed or featured, the settings of lists, notes about others, pinned posts, recommended
                accounts and requests to follow, warnings by moderators with the appeals against them, and
                invitations

            An archive that an operator has made also has the e-mail address, in account.json, and the apps
            that are logged in, in sessions.json.

            Not in it: passwords, tokens and codes, what others have written, except posts that were boosted or quoted,
            and the votes in the polls of others. Of pictures it has %d at most, in the order of statuses.jsonl.
            Of accounts that are suspended it has the addresses in the CSV files, and no boosts in
            statuses.jsonl; in outbox.json these name no post. relations.json has the first %d of each kind.
            """;

    private final Vertx vertx;
    private final LoopStores stores;
    private final MediaStore media;
    private final CsvExports csv;
    private final Views views;
    private final Bookmarks bookmarks;

    /** @param media null = there are no pictures */
    public AccountExport(Vertx vertx, LoopStores stores, MediaStore media) {
        this.vertx = vertx;
        this.stores = stores;
        this.media = media;
        this.csv = new CsvExports(stores);
        this.views = stores.views();
        this.bookmarks =
                new Bookmarks(stores.redis(), stores.settings(), stores.statuses(), stores.viewerRelationships());
    }

    /** For whom an archive is. */
    public enum Reader {
        /**
         * A client with a token of the account. It does not get the email address and the sessions, which no other
         * endpoint shows for a token alone either.
         */
        TOKEN,
        /** An operator, who hands it to the user. */
        OPERATOR
    }

    /** The archive of an account, be it suspended. Fails with {@link Refusal#unknown} when there is none. */
    public Future<ChunkSource> of(long account, Reader reader) {
        Future<Map<Long, Accounts.Inspected>> found = stores.accounts().inspect(List.of(account));
        Future<OwnStatuses> own = OwnStatuses.upToNow(stores, account);
        return Future.all(found, own).map(all -> {
            Accounts.Inspected inspected = found.result().get(account);
            if (inspected == null || inspected.deletedAt() != 0) {
                throw Refusal.unknown();
            }
            return archive(inspected.account(), own.result(), reader == Reader.OPERATOR);
        });
    }

    private ChunkSource archive(Account account, OwnStatuses own, boolean whole) {
        LocalDateTime now = LocalDateTime.ofInstant(stores.parts().clock().instant(), ZoneOffset.UTC)
                .withNano(0);
        Activities activities = new Activities(views, account);
        Pictures pictures = new Pictures(account);
        Deque<Entry> files = new ArrayDeque<>();
        String readme = README.formatted(
                account.username(),
                views.urls().base(),
                now,
                PICTURES_MAX,
                stores.settings().limits().followingMax());
        files.add(text("README.txt", ChunkSource.of(Buffer.buffer(readme))));
        files.add(text("actor.json", ChunkSource.of(json(activities::actor))));
        files.add(text("outbox.json", outbox(own, activities)));
        files.add(text(
                "likes.json", uris("likes.json", page -> stores.favourites().page(account.id(), page))));
        files.add(text("bookmarks.json", uris("bookmarks.json", page -> bookmarks.page(account.id(), page))));
        for (CsvExports.File file : CsvExports.File.values()) {
            files.add(text(file.fileName(), csv.of(file, account.id())));
        }
        files.add(text("followers.csv", csv.followers(account.id())));
        files.add(text("account.json", once(() -> account(account, whole))));
        files.add(text("statuses.jsonl", own.pieces(chunk -> {
            pictures.add(chunk);
            return lines(account, chunk);
        })));
        files.add(text("scheduled.json", once(() -> scheduled(account.id(), pictures))));
        files.add(text("held.json", once(() -> held(account.id(), pictures))));
        files.add(text("filters.json", once(() -> filters(account.id()))));
        files.add(text("tags.json", once(() -> tags(account.id()))));
        files.add(text("lists.json", once(() -> lists(account.id()))));
        files.add(text("notes.json", once(() -> notes(account.id()))));
        files.add(text("relations.json", once(() -> relations(account.id()))));
        files.add(text("warnings.json", once(() -> warnings(account))));
        files.add(text("invitations.json", once(() -> invitations(account.id()))));
        if (whole) {
            files.add(text("sessions.json", once(() -> sessions(account.id()))));
        }
        return new ZipStream(
                vertx, now, () -> files.isEmpty() ? pictures.next() : Future.succeededFuture(files.poll()));
    }

    private static Entry text(String name, ChunkSource pieces) {
        return new Entry(name, /* packed= */ true, pieces);
    }

    private static Buffer json(Json.Body body) {
        return Buffer.buffer(Json.bytes(body)).appendByte((byte) '\n');
    }

    /** Read when its turn comes. */
    private static ChunkSource once(Supplier<Future<Buffer>> read) {
        return ChunkSource.walk(0, begin -> read.get().map(whole -> new Step<>(whole, null)));
    }

    // Statuses.

    /** A line for each. */
    private Future<Buffer> lines(Account account, List<Status> chunk) {
        List<Long> edited = chunk.stream()
                .filter(status -> status.post().edit() != 0)
                .map(Status::id)
                .toList();
        List<Future<List<Status>>> read =
                edited.stream().map(id -> stores.edits().versions(id)).toList();
        List<Long> originals = chunk.stream()
                .map(status -> status.post().original())
                .filter(Objects::nonNull)
                .map(Reference::statusId)
                .toList();
        // Fails while the archive is away: an original that is there would be shown as deleted.
        // Nobody is shown a suspended account but itself.
        Future<RenderContext> context = stores.statuses()
                .load(originals)
                .compose(there -> stores.hydrator().load(chunk, account.id()))
                .map(around -> around.with(account));
        return Future.join(read).compose(done -> context).map(around -> {
            Map<Long, List<Status>> versions = new HashMap<>();
            for (int i = 0; i < edited.size(); i++) {
                versions.put(edited.get(i), read.get(i).result());
            }
            Buffer lines = Buffer.buffer();
            for (Status status : chunk) {
                if (around.covers(status)) {
                    Buffer unused = lines.appendBuffer(
                            json(json -> line(json, status, around, versions.getOrDefault(status.id(), List.of()))));
                }
            }
            return lines;
        });
    }

    private void line(JsonGenerator json, Status status, RenderContext context, List<Status> versions)
            throws IOException {
        json.writeStartObject();
        views.statuses().fields(json, status, context);
        json.writeStringField("text", status.text());
        if (!versions.isEmpty()) {
            json.writeArrayFieldStart("versions");
            for (Status version : versions) {
                views.statuses().edit(json, version, context);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /** Items of a collection, with their number at the end. */
    private static final class Count {
        private int items;
    }

    private ChunkSource outbox(OwnStatuses own, Activities activities) {
        Count count = new Count();
        return collection("outbox.json", count, own.pieces(chunk -> named(chunk)
                .map(named -> items(count, chunk, (json, status) -> activities.activity(json, status, named)))));
    }

    private Future<Map<Long, Account>> named(List<Status> chunk) {
        Set<Long> named = new HashSet<>();
        for (Status status : chunk) {
            add(named, status.post().replyTo());
            add(named, status.post().original());
        }
        return stores.accounts().load(named);
    }

    private static void add(Set<Long> accounts, Reference reference) {
        if (reference != null) {
            accounts.add(reference.accountId());
        }
    }

    private ChunkSource uris(String name, Function<PageRequest, Future<Page<Status>>> read) {
        Count count = new Count();
        return collection(name, count, ChunkSource.walk(Id.MAX, below -> read.apply(PageRequest.olderThan(below, PAGE))
                .compose(page -> stores.accounts()
                        .load(page.items().stream()
                                .map(Status::authorId)
                                .distinct()
                                .toList())
                        .map(authors -> uris(count, page, authors)))));
    }

    private Step<Long> uris(Count count, Page<Status> page, Map<Long, Account> authors) {
        List<Status> shown = page.items().stream()
                .filter(status -> authors.containsKey(status.authorId()))
                .toList();
        Buffer piece = items(
                count,
                shown,
                (json, status) ->
                        json.writeString(views.urls().statusUri(status.id(), authors.get(status.authorId()))));
        return new Step<>(piece, page.next() == 0 ? null : Long.valueOf(page.next()));
    }

    private static <T> Buffer items(Count count, Collection<T> entries, Json.Entry<T> entry) {
        Buffer piece = Buffer.buffer();
        for (T one : entries) {
            Buffer unused = piece.appendString(count.items++ == 0 ? "\n" : ",\n")
                    .appendBytes(Json.bytes(json -> entry.write(json, one)));
        }
        return piece;
    }

    private static ChunkSource collection(String name, Count count, ChunkSource items) {
        String head = "{\"@context\":\"" + Activities.CONTEXT + "\",\"id\":\"" + name
                + "\",\"type\":\"OrderedCollection\",\"orderedItems\":[";
        return ChunkSource.all(List.of(
                ChunkSource.of(Buffer.buffer(head)),
                items,
                once(() -> Future.succeededFuture(Buffer.buffer("\n],\"totalItems\":" + count.items + "}\n")))));
    }

    // What is read at once.

    private Future<Buffer> account(Account account, boolean whole) {
        Future<Preferences> preferences = stores.accounts().preferences(account.id());
        Future<Reply> own =
                stores.redis().send(Command.of("HMGET", Keys.user(account.id()), "email", "role", "factor", "trusted"));
        Future<Reply> change = stores.redis().send(Command.of("GET", Keys.addressChange(account.id())));
        return Future.all(preferences, own, change)
                .map(all -> json(json -> {
                    Preferences wanted = preferences.result();
                    json.writeStartObject();
                    json.writeFieldName("account");
                    views.accounts().write(json, account);
                    json.writeStringField("note", account.note());
                    if (whole) {
                        json.writeStringField(
                                "email", own.result().items().get(0).asString());
                        Optional<Change> address = Change.of(change.result());
                        if (address.isPresent()) {
                            json.writeStringField(
                                    address.get().isWanted() ? "wanted_email" : "former_email",
                                    address.get().address());
                        }
                    }
                    json.writeStringField(
                            "role",
                            Role.stored(own.result().items().get(1).asString()).label());
                    json.writeBooleanField(
                            "second_factor", !own.result().items().get(2).isNil());
                    json.writeBooleanField(
                            "trusted", !own.result().items().get(3).isNil());
                    json.writeBooleanField("limited", wanted.limited());
                    json.writeBooleanField("sensitized", wanted.sensitized());
                    json.writeObjectFieldStart("preferences");
                    json.writeStringField("visibility", wanted.visibility().wire());
                    json.writeBooleanField("sensitive", wanted.sensitive());
                    json.writeStringField("language", wanted.language());
                    json.writeStringField("quote_policy", wanted.quotePolicy().wire());
                    json.writeBooleanField("aggregate_reblogs", wanted.foldsReposts());
                    json.writeEndObject();
                    json.writeEndObject();
                }));
    }

    private Future<Buffer> scheduled(long account, Pictures pictures) {
        return new ScheduledStatuses(stores.redis())
                .page(account, PageRequest.newest(ScheduledStatuses.MAX))
                .map(Page::items)
                .map(all -> array(all, (json, status) -> {
                    json.writeStartObject();
                    json.writeStringField("id", Long.toString(status.id()));
                    json.writeStringField("scheduled_at", Timestamps.time(status.dueMillis()));
                    words(json, status, pictures);
                    json.writeEndObject();
                }));
    }

    /** Posts that wait for a moderator. */
    private Future<Buffer> held(long account, Pictures pictures) {
        return new HeldStatuses(stores)
                .all(account)
                .map(all -> array(all, (json, held) -> {
                    long due = held.status().dueMillis();
                    json.writeStartObject();
                    json.writeStringField("id", Long.toString(held.id()));
                    json.writeStringField("created_at", Timestamps.time(held.sinceMillis()));
                    json.writeStringField("scheduled_at", due == 0 ? null : Timestamps.time(due));
                    json.writeStringField("signal", held.signal().wire());
                    json.writeStringField("reason", held.signal().reason());
                    words(json, held.status(), pictures);
                    json.writeEndObject();
                }));
    }

    /** The fields of a post that is not published yet, whose pictures go into the archive. */
    private void words(JsonGenerator json, ScheduledStatus status, Pictures pictures) throws IOException {
        PostWords words = status.words();
        Visibility visibility = words.options().visibility();
        json.writeStringField("text", words.text());
        json.writeStringField("visibility", visibility == null ? null : visibility.wire());
        json.writeStringField("spoiler_text", words.spoilerText());
        json.writeStringField("language", words.options().language());
        json.writeStringField("in_reply_to_id", status.inReplyToId() == 0 ? null : Long.toString(status.inReplyToId()));
        json.writeStringField("quoted_status_id", status.quotedId() == 0 ? null : Long.toString(status.quotedId()));
        json.writeArrayFieldStart("media_attachments");
        for (Attachment picture : status.attachments()) {
            views.attachments().write(json, picture);
        }
        json.writeEndArray();
        pictures.addAll(status.attachments());
        if (status.poll() != null) {
            json.writeArrayFieldStart("poll");
            for (String option : status.poll().options()) {
                json.writeString(option);
            }
            json.writeEndArray();
        }
    }

    private Future<Buffer> filters(long account) {
        return stores.userFilters()
                .of(account)
                .map(all -> array(all.filters(), (json, filter) -> {
                    json.writeStartObject();
                    FilterJson.fields(json, filter);
                    json.writeArrayFieldStart("keywords");
                    for (UserFilter.Keyword keyword : filter.keywords()) {
                        json.writeStartObject();
                        json.writeStringField("keyword", keyword.keyword());
                        json.writeBooleanField("whole_word", keyword.wholeWord());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    json.writeArrayFieldStart("statuses");
                    for (UserFilter.OfStatus status : filter.statuses()) {
                        json.writeString(Long.toString(status.statusId()));
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                }));
    }

    private Future<Buffer> tags(long account) {
        Future<List<String>> followed = new FollowedTags(stores.redis(), stores.settings()).of(account);
        Future<List<FeaturedTags.Featured>> featured = new FeaturedTags(stores.redis(), stores.statuses()).of(account);
        return Future.all(followed, featured)
                .map(all -> json(json -> {
                    json.writeStartObject();
                    strings(json, "followed", followed.result());
                    strings(
                            json,
                            "featured",
                            featured.result().stream()
                                    .map(FeaturedTags.Featured::tag)
                                    .toList());
                    json.writeEndObject();
                }));
    }

    private Future<Buffer> lists(long account) {
        return new UserLists(stores.redis(), stores.settings())
                .of(account)
                .map(all -> array(all, (json, list) -> {
                    json.writeStartObject();
                    json.writeStringField("title", list.title());
                    json.writeStringField("replies_policy", list.replies().wire());
                    json.writeBooleanField("exclusive", list.exclusive());
                    json.writeEndObject();
                }));
    }

    private Future<Buffer> notes(long account) {
        return stores.redis().send(Command.of("HGETALL", Keys.notes(account))).compose(reply -> {
            List<Reply> flat = reply.flat();
            Map<Long, String> notes = new HashMap<>();
            for (int i = 0; i < flat.size(); i += 2) {
                notes.put(flat.get(i).asLong(), flat.get(i + 1).asString());
            }
            return csv.addresses(notes.keySet())
                    .map(addresses -> array(addresses.entrySet(), (json, address) -> {
                        json.writeStartObject();
                        json.writeStringField("account", address.getValue());
                        json.writeStringField("note", notes.get(address.getKey()));
                        json.writeEndObject();
                    }));
        });
    }

    private Future<Buffer> warnings(Account account) {
        return stores.notifications()
                .warnings()
                .all(account.id())
                .map(all -> array(all, (json, warning) -> views.warnings().write(json, warning, account)));
    }

    private Future<Buffer> invitations(long account) {
        return new Invitations(stores.redis(), new SecureRandom())
                .of(account)
                .map(all -> array(all, (json, one) -> {
                    json.writeStartObject();
                    json.writeStringField("code", one.code());
                    json.writeStringField("created_at", Timestamps.time(one.madeMillis()));
                    json.writeStringField(
                            "expires_at", one.endsMillis() == 0 ? null : Timestamps.time(one.endsMillis()));
                    json.writeNumberField("max_uses", one.usesMax());
                    json.writeNumberField("uses", one.uses());
                    json.writeStringField("comment", one.comment());
                    json.writeEndObject();
                }));
    }

    private Future<Buffer> relations(long account) {
        Future<List<Long>> pins = new Pins(stores.redis(), stores.statuses().archived(), stores.statuses()).of(account);
        Future<Map<Long, String>> endorsed = members(Keys.endorsed(account));
        Future<Map<Long, String>> requested = members(Keys.requesting(account));
        Future<Map<Long, String>> asking = members(Keys.requests(account));
        return Future.all(pins, endorsed, requested, asking)
                .map(all -> json(json -> {
                    json.writeStartObject();
                    strings(
                            json,
                            "pinned",
                            pins.result().stream().map(String::valueOf).toList());
                    strings(json, "endorsed", endorsed.result().values());
                    strings(json, "requested", requested.result().values());
                    strings(json, "requested_by", asking.result().values());
                    json.writeEndObject();
                }));
    }

    /** The first of a set, in its order. */
    private Future<Map<Long, String>> members(String key) {
        int max = stores.settings().limits().followingMax();
        return stores.redis()
                .send(Command.of("ZRANGE", key, 0, max - 1, "WITHSCORES"))
                .map(Edges::of)
                .compose(edges ->
                        csv.addresses(edges.stream().map(Edge::accountId).toList()));
    }

    private Future<Buffer> sessions(long account) {
        Apps apps = new Apps(stores.redis());
        return new AccountAccess(stores.redis()).list(account).compose(tokens -> {
            List<Future<Optional<App>>> found =
                    tokens.stream().map(token -> apps.find(token.clientId())).toList();
            return Future.join(found).map(done -> {
                List<Integer> order = new ArrayList<>();
                for (int i = 0; i < tokens.size(); i++) {
                    order.add(i);
                }
                return array(order, (json, i) -> {
                    json.writeStartObject();
                    json.writeStringField(
                            "app", found.get(i).result().map(App::name).orElse(null));
                    json.writeStringField(
                            "scopes",
                            String.join(" ", new TreeSet<>(tokens.get(i).scopes())));
                    json.writeStringField(
                            "created_at",
                            Timestamps.time(tokens.get(i).issuedAt().toEpochMilli()));
                    json.writeEndObject();
                });
            });
        });
    }

    private static <T> Buffer array(Collection<T> all, Json.Entry<T> entry) {
        return json(json -> {
            json.writeStartArray();
            for (T one : all) {
                entry.write(json, one);
            }
            json.writeEndArray();
        });
    }

    private static void strings(JsonGenerator json, String field, Collection<String> values) throws IOException {
        json.writeArrayFieldStart(field);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    // Pictures.

    /**
     * The pictures of the profile, the statuses and the scheduled statuses, by their names in the archive. They are
     * collected while the statuses are written: a second pass would send nothing for a long time.
     */
    private final class Pictures {
        private final Map<String, String> files = new LinkedHashMap<>();

        private Pictures(Account account) {
            profile("avatar", account.profileSettings().avatar());
            profile("header", account.profileSettings().header());
        }

        private void profile(String use, String name) {
            if (!name.isEmpty()) {
                files.put(Activities.picture(use, name), name);
            }
        }

        void add(List<Status> statuses) {
            statuses.forEach(status -> addAll(status.post().content().attachments()));
        }

        /** A name comes once, whatever has it. */
        void addAll(List<Attachment> pictures) {
            for (Attachment picture : pictures) {
                if (media != null && files.size() < PICTURES_MAX) {
                    files.put(Activities.MEDIA + picture.name(), picture.name());
                }
            }
        }

        /** Null when there are no more. */
        Future<Entry> next() {
            if (media == null || files.isEmpty()) {
                return Future.succeededFuture();
            }
            Map.Entry<String, String> first = files.entrySet().iterator().next();
            String name = first.getKey();
            String file = first.getValue();
            files.remove(name);
            return media.find(file)
                    .map(found -> found.isEmpty()
                            ? Entry.LATER
                            : new Entry(name, /* packed= */ false, MediaPieces.of(vertx, found.get())));
        }
    }
}
