package io.fanfare.api.export;

import io.fanfare.api.export.ChunkSource.Step;
import io.fanfare.api.post.Bookmarks;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.RelationshipDetails;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.UserList;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.UserLists;
import io.fanfare.core.LoopStores;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * The lists of an account as the CSV files that Mastodon exports and imports, newest entry first. Suspended accounts
 * are in them, since a suspension may end. One event loop.
 */
public final class CsvExports {
    /** Entries that are read at once. */
    private static final int PAGE = 200;

    private static final CSVFormat FORMAT =
            CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();

    /**
     * How a formula begins: also in the full-width forms that some programs take for the same, and behind spaces and
     * apostrophes.
     */
    private static final Pattern FORMULA = Pattern.compile("[\\s'\\x00]*[=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20]");

    /** One of the files. */
    public enum File {
        FOLLOWS("follows", "following_accounts.csv"),
        BLOCKS("blocks", "blocked_accounts.csv"),
        MUTES("mutes", "muted_accounts.csv"),
        LISTS("lists", "lists.csv"),
        BOOKMARKS("bookmarks", "bookmarks.csv");

        private final String path;
        private final String fileName;

        File(String path, String fileName) {
            this.path = path;
            this.fileName = fileName;
        }

        /** The last part of its address, without the ending. */
        public String path() {
            return path;
        }

        /** The name of this file in exports of Mastodon. */
        public String fileName() {
            return fileName;
        }
    }

    private final LoopStores stores;
    private final UserLists lists;
    private final Bookmarks bookmarks;
    private final String host;

    public CsvExports(LoopStores stores) {
        this.stores = stores;
        this.lists = new UserLists(stores.redis(), stores.settings());
        this.bookmarks =
                new Bookmarks(stores.redis(), stores.settings(), stores.statuses(), stores.viewerRelationships());
        String authority = URI.create(stores.views().urls().base()).getAuthority();
        this.host = authority == null ? "localhost" : authority;
    }

    /** One file of an account. */
    public ChunkSource of(File file, long account) {
        return switch (file) {
            case FOLLOWS -> follows(account);
            case BLOCKS -> blocks(account);
            case MUTES -> mutes(account);
            case LISTS -> lists(account);
            case BOOKMARKS -> bookmarks(account);
        };
    }

    private ChunkSource follows(long account) {
        return withTitle(
                List.of("Account address", "Show boosts", "Notify on new posts", "Languages"),
                accounts(account, page -> stores.graph().following(account, page), (name, id, details) -> {
                    boolean reposts = !details.relationships().withoutReposts().contains(id);
                    boolean notify = details.notifying().contains(id);
                    String languages = String.join(", ", details.languages().getOrDefault(id, List.of()));
                    return details.relationships().following().contains(id)
                            ? List.of(name, reposts, notify, languages)
                            : List.of();
                }));
    }

    private ChunkSource blocks(long account) {
        return accounts(account, page -> stores.blocks().blocks(account, page), (name, id, details) -> List.of(name));
    }

    /** The followers of an account; Mastodon has no such file. */
    ChunkSource followers(long account) {
        return accounts(account, page -> stores.graph().followers(account, page), (name, id, details) -> List.of(name));
    }

    /** The addresses of those of these that are there, in their order. */
    Future<Map<Long, String>> addresses(Collection<Long> accounts) {
        return stores.accounts().inspect(accounts).map(found -> {
            Map<Long, String> addresses = new LinkedHashMap<>();
            for (long account : accounts) {
                Accounts.Inspected inspected = found.get(account);
                if (inspected != null && inspected.deletedAt() == 0) {
                    addresses.put(account, address(inspected.account()));
                }
            }
            return addresses;
        });
    }

    private ChunkSource mutes(long account) {
        return withTitle(
                List.of("Account address", "Hide notifications"),
                accounts(
                        account,
                        page -> stores.blocks().mutes(account, page),
                        // One that has ended may still be listed.
                        (name, id, details) -> details.relationships().muted().contains(id)
                                ? List.of(
                                        name,
                                        !details.relationships()
                                                .notifyingMutes()
                                                .contains(id))
                                : List.of()));
    }

    /** The line of an account in a file; empty = none. */
    private interface Line {
        List<Object> of(String address, long id, RelationshipDetails details);
    }

    private ChunkSource accounts(long account, Function<PageRequest, Future<Page<Edge>>> read, Line line) {
        return ChunkSource.walk(Id.MAX, below -> read.apply(PageRequest.olderThan(below, PAGE))
                .compose(page -> accounts(account, page, line)));
    }

    private Future<Step<Long>> accounts(long account, Page<Edge> page, Line line) {
        List<Long> ids = page.items().stream().map(Edge::accountId).toList();
        Future<Map<Long, Accounts.Inspected>> names = stores.accounts().inspect(ids);
        Future<RelationshipDetails> details = stores.viewerRelationships().details(account, ids);
        return Future.all(names, details).map(all -> {
            List<List<Object>> lines = new ArrayList<>();
            for (long id : ids) {
                Accounts.Inspected found = names.result().get(id);
                if (found != null && found.deletedAt() == 0) {
                    lines.add(line.of(address(found.account()), id, details.result()));
                }
            }
            return step(lines, page.next());
        });
    }

    /** A place among the lists: those that are still to be read, and where in the first of them. */
    private record Listing(List<UserList> rest, long below) {}

    private ChunkSource lists(long account) {
        return ChunkSource.walk(
                new Listing(null, Id.MAX),
                at -> at.rest() == null
                        ? lists.of(account).map(all -> new Step<>(Buffer.buffer(), list(all, Id.MAX)))
                        : onList(account, at));
    }

    private static Listing list(List<UserList> rest, long below) {
        return rest.isEmpty() ? null : new Listing(rest, below);
    }

    private Future<Step<Listing>> onList(long account, Listing at) {
        UserList list = at.rest().get(0);
        return lists.accounts(account, list.id(), PageRequest.olderThan(at.below(), PAGE))
                .compose(page -> accounts(account, page, (name, id, details) -> List.of(list.title(), name)))
                .map(step -> new Step<>(
                        step.piece(),
                        step.next() == null
                                ? list(at.rest().subList(1, at.rest().size()), Id.MAX)
                                : new Listing(at.rest(), step.next())));
    }

    private ChunkSource bookmarks(long account) {
        return ChunkSource.walk(Id.MAX, below -> bookmarks
                .page(account, PageRequest.olderThan(below, PAGE))
                .compose(page -> {
                    List<Long> authors = page.items().stream()
                            .map(Status::authorId)
                            .distinct()
                            .toList();
                    return stores.accounts().load(authors).map(names -> bookmarks(page, names));
                }));
    }

    private Step<Long> bookmarks(Page<Status> page, Map<Long, Account> names) {
        List<List<Object>> lines = new ArrayList<>();
        for (Status status : page.items()) {
            Account author = names.get(status.authorId());
            if (author != null) {
                lines.add(List.of(stores.views().urls().statusUri(status.id(), author)));
            }
        }
        return step(lines, page.next());
    }

    private String address(Account account) {
        return account.username() + "@" + host;
    }

    private static ChunkSource withTitle(List<Object> title, ChunkSource lines) {
        return ChunkSource.all(List.of(ChunkSource.of(csv(List.of(title))), lines));
    }

    private static Step<Long> step(List<List<Object>> lines, long next) {
        return new Step<>(csv(lines), next == 0 ? null : Long.valueOf(next));
    }

    /**
     * A cell that a spreadsheet would take for a formula, which others may have written, begins with an apostrophe, as
     * OWASP recommends; so does one that begins so already, so that a reader of the file takes one away again.
     */
    static Object harmless(Object cell) {
        return cell instanceof String text && FORMULA.matcher(text).lookingAt() ? "'" + text : cell;
    }

    private static Buffer csv(Collection<List<Object>> lines) {
        StringBuilder text = new StringBuilder();
        try (CSVPrinter printer = new CSVPrinter(text, FORMAT)) {
            for (List<Object> line : lines) {
                if (!line.isEmpty()) {
                    printer.printRecord(line.stream().map(CsvExports::harmless).toList());
                }
            }
        } catch (IOException e) {
            // The target is memory.
            throw new UncheckedIOException(e);
        }
        return Buffer.buffer(text.toString());
    }
}
