package io.fanfare.api.search;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.text.TextEntities;
import io.fanfare.failure.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.QueryTimeoutImpl;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.QueryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of this process, in Lucene: the words of statuses by their id, not their texts. Writes run one after the
 * other on a thread of their own, searches on {@code search.queries-at-once} others; the event loops only wait. A
 * commit is atomic and says up to which event it goes ({@link Position}), so that a process that is killed goes on
 * there. Safe for every thread; a future completes on the event loop of its caller.
 */
public final class SearchIndex {
    /** A file of this name in the folder of an index asks its process to build it anew. */
    public static final String REBUILD = "rebuild";

    /** After which who was refused may try again. */
    private static final int RETRY_SECONDS = 5;

    /** Processes of one machine that share a folder. */
    private static final int SLOTS = 64;

    /** Statuses that are applied before it is looked whether the index is too large. */
    private static final int PRUNE_EVERY = 5_000;

    /** After which the words of what was deleted leave the files. */
    private static final long PURGE_MILLIS = TimeUnit.DAYS.toMillis(1);

    private static final double RAM_BUFFER_MB = 16;
    private static final String ID = "id";
    private static final String KEY = "key";
    private static final String TEXT = "text";
    private static final String TAG = "tag";
    private static final String AUTHOR = "author";
    private static final String MENTION = "mention";
    private static final String VISIBILITY = "visibility";
    private static final String LANGUAGE = "language";
    private static final String HAS = "has";
    private static final String IS = "is";
    private static final String EPOCH = "epoch";
    private static final String SEQ = "seq";
    private static final String PURGED = "purged";
    private static final String FORMAT = "format";

    /**
     * The format of the fields that an index has of a status; another number in a commit makes the feed rebuild the
     * index.
     */
    private static final String FORMAT_NOW = "3";

    private static final Sort NEWEST = new Sort(new SortField(ID, SortField.Type.LONG, /* reverse= */ true));
    private static final Sort OLDEST = new Sort(new SortField(ID, SortField.Type.LONG));

    /** Lucene tells of faster instructions, at a level that operators read. Kept, since loggers are forgotten. */
    private static final java.util.logging.Logger LUCENE = java.util.logging.Logger.getLogger("org.apache.lucene");

    /** The permissions of the folders: Lucene makes its files by the umask. */
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private static final Logger LOG = LoggerFactory.getLogger(SearchIndex.class);

    private final Settings.Search settings;
    private final WorkerExecutor writing;
    private final WorkerExecutor searching;

    /** One for each search that runs or waits. */
    private final Semaphore places;

    private final Counter refusals;
    private final Counter prunes;
    private final SearchWords words = SearchWords.ofText();
    private final SearchWords queryWords = SearchWords.ofQuery();

    /** Set by the writing thread when the index is open; of one that was lost, until it is open again. */
    private volatile SearcherManager searchers;

    /** Set by the writing thread: whether it can write. */
    private volatile boolean open;

    // Of the writing thread alone.
    private IndexWriter writer;
    private Path folder;
    private int unpruned;

    /** Up to which id statuses have left because the index was full; none of them comes back. */
    private long floor;

    /** When the words of what was deleted have left the files, epoch ms; 0 = it is not known. */
    private long purgedMillis;

    private SearchIndex(Vertx vertx, Settings.Search settings, MeterRegistry metrics) {
        LUCENE.setLevel(java.util.logging.Level.SEVERE);
        this.settings = settings;
        this.writing = vertx.createSharedWorkerExecutor("search-index", 1, 5, TimeUnit.MINUTES);
        this.searching = vertx.createSharedWorkerExecutor("search", settings.queriesAtOnce(), 1, TimeUnit.MINUTES);
        int searchesMax = settings.queriesAtOnce() + settings.queriesWaiting();
        this.places = new Semaphore(searchesMax);
        this.refusals = metrics.counter("fanfare.search.refusals");
        metrics.gauge("fanfare.search.waiting", places, free -> searchesMax - free.availablePermits());
        this.prunes = Counter.builder("fanfare.search.pruned")
                .description("How often the oldest tenth of the statuses has left the full index")
                .register(metrics);
        Gauge.builder("fanfare.search.oldest", this, SearchIndex::oldestSeconds)
                .description("When the oldest status of the index was written, Unix time")
                .baseUnit("seconds")
                .register(metrics);
    }

    /** The one that the settings ask for; null = none. Opens nothing yet. */
    public static SearchIndex of(Vertx vertx, Settings.Search settings, MeterRegistry metrics) {
        return settings.isOffered() ? new SearchIndex(vertx, settings, metrics) : null;
    }

    /**
     * Up to where an index knows the event log.
     *
     * @param epoch of the log
     * @param seq of the last event that counts
     */
    public record Position(String epoch, long seq) {}

    /**
     * Which statuses are looked for.
     *
     * @param viewer who looks; finds public statuses, own ones, and those that name the viewer
     * @param names ids of the accounts that the query names, by the names as they are written there; others find
     *     nothing
     * @param author 0 = any
     * @param above exclusive
     * @param below exclusive
     */
    public record Request(
            SearchQuery query, long viewer, Map<String, Long> names, long author, long above, long below) {
        public Request {
            names = Map.copyOf(names);
        }

        /** The same for what is older. */
        public Request olderThan(long id) {
            return new Request(query, viewer, names, author, above, id);
        }
    }

    /** NaN while there is no status, or no index. A status that was deleted counts until its words leave the files. */
    private double oldestSeconds() {
        SearcherManager open = searchers;
        if (open == null) {
            return Double.NaN;
        }
        try {
            IndexSearcher searcher = open.acquire();
            try {
                byte[] least = PointValues.getMinPackedValue(searcher.getIndexReader(), ID);
                return least == null ? Double.NaN : Id.epochMillis(LongPoint.decodeDimension(least, 0)) / 1000.0;
            } finally {
                open.release(searcher);
            }
        } catch (IOException | AlreadyClosedException e) {
            LOG.debug("oldest status of the search index is not known cause={}", e.toString());
            return Double.NaN;
        }
    }

    /** Whether it takes what is written. Not before {@link #open}, nor after an error of the disk. */
    boolean isOpen() {
        return open;
    }

    /**
     * Opens the index, or a new one when there is none or it is damaged; answers up to where it goes, null = it is to
     * be built. One that was open and is so no more begins with what it has kept.
     */
    Future<Position> open() {
        return write(this::opened);
    }

    private Position opened() throws IOException {
        Path parent = Path.of(settings.directory());
        for (int slot = 1; slot <= SLOTS; slot++) {
            folder = parent.resolve(Integer.toString(slot));
            Path unused = Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PRIVATE));
            try {
                return openedIn(FSDirectory.open(folder));
            } catch (LockObtainFailedException e) {
                LOG.debug("another process has the index folder={}", folder);
            }
        }
        throw new IOException("search.directory has no free place: " + parent);
    }

    private Position openedIn(Directory directory) throws IOException {
        try {
            begin(directory, IndexWriterConfig.OpenMode.CREATE_OR_APPEND);
        } catch (CorruptIndexException
                | IndexFormatTooOldException
                | IndexFormatTooNewException
                | IllegalArgumentException
                | EOFException
                | FileNotFoundException
                | NoSuchFileException e) {
            LOG.warn("search index cannot be read, a new one is built folder={} cause={}", folder, Reason.of(e));
            empty(directory);
            begin(directory, IndexWriterConfig.OpenMode.CREATE);
        }
        Map<String, String> data = new HashMap<>();
        Iterable<Map.Entry<String, String>> committed = writer.getLiveCommitData();
        if (committed != null) {
            committed.forEach(entry -> data.put(entry.getKey(), entry.getValue()));
        }
        floor = 0;
        purgedMillis = Long.parseLong(data.getOrDefault(PURGED, "0"));
        if (data.containsKey(EPOCH) && !FORMAT_NOW.equals(data.get(FORMAT))) {
            LOG.info("search index is of another release, and is rebuilt folder={}", folder);
            return null;
        }
        return data.containsKey(EPOCH) ? new Position(data.get(EPOCH), Long.parseLong(data.get(SEQ))) : null;
    }

    /** Leaves nothing open when it fails. */
    private void begin(Directory directory, IndexWriterConfig.OpenMode mode) throws IOException {
        IndexWriter opening = new IndexWriter(directory, config(mode));
        SearcherManager before = searchers;
        try {
            searchers = new SearcherManager(opening, null);
        } catch (IOException | RuntimeException e) {
            try {
                opening.rollback();
            } catch (IOException | RuntimeException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
        writer = opening;
        if (before != null) {
            before.close();
        }
    }

    private static void empty(Directory directory) throws IOException {
        try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
            lock.ensureValid();
            for (String file : directory.listAll()) {
                if (!file.equals(IndexWriter.WRITE_LOCK_NAME)) {
                    directory.deleteFile(file);
                }
            }
        }
    }

    private IndexWriterConfig config(IndexWriterConfig.OpenMode mode) {
        return new IndexWriterConfig(words)
                .setOpenMode(mode)
                .setIndexSort(NEWEST)
                // Of what is deleted on purpose nothing is left.
                .setMergePolicy(new TieredMergePolicy().setForceMergeDeletesPctAllowed(0))
                .setRAMBufferSizeMB(RAM_BUFFER_MB)
                .setCommitOnClose(false);
    }

    /** Whether the operator has asked for a new index since the last {@link #clear}. */
    Future<Boolean> rebuildRequested() {
        return write(() -> Files.exists(folder.resolve(REBUILD)));
    }

    /**
     * Forgets everything, also what is on the disk, and that the operator has asked for it; a process that is killed
     * after this builds the index anew.
     */
    Future<Void> clear() {
        return write(() -> {
            long deleted = writer.deleteAll();
            writer.setLiveCommitData(Map.<String, String>of().entrySet());
            long committed = writer.commit();
            floor = 0;
            purgedMillis = 0;
            LOG.debug("search index cleared deleted={} commit={}", deleted, committed);
            searchers.maybeRefreshBlocking();
            boolean unused = Files.deleteIfExists(folder.resolve(REBUILD));
            return null;
        });
    }

    /**
     * Makes of these ids what is known of them now. When the index is too large, its oldest statuses leave it.
     *
     * @param living those that live; of the others nothing is found any more
     */
    Future<Void> apply(Collection<Long> ids, Map<Long, Status> living) {
        return write(() -> {
            for (long id : ids) {
                Term key = new Term(KEY, Long.toString(id));
                Status status = living.get(id);
                if (status != null && id > floor && isIndexed(status)) {
                    long unused = writer.updateDocument(key, document(status));
                } else {
                    long unused = writer.deleteDocuments(key);
                }
            }
            searchers.maybeRefreshBlocking();
            unpruned += ids.size();
            if (unpruned >= PRUNE_EVERY) {
                prune();
            }
            return null;
        });
    }

    /**
     * Keeps what was applied, with up to where that goes. When the index is too large, its oldest statuses leave it;
     * once a day the words of what was deleted leave the files.
     *
     * @param nowMillis epoch ms
     */
    Future<Void> commit(Position position, long nowMillis) {
        return write(() -> {
            prune();
            if (nowMillis < purgedMillis || nowMillis - purgedMillis >= PURGE_MILLIS) {
                writer.forceMergeDeletes();
                searchers.maybeRefreshBlocking();
                purgedMillis = nowMillis;
            }
            Map<String, String> data = Map.of(
                    FORMAT, FORMAT_NOW,
                    EPOCH, position.epoch(),
                    SEQ, Long.toString(position.seq()),
                    PURGED, Long.toString(purgedMillis));
            writer.setLiveCommitData(data.entrySet());
            long unused = writer.commit();
            return null;
        });
    }

    /** The oldest tenth of the statuses leaves, again and again, until the rest has room. */
    private void prune() throws IOException {
        unpruned = 0;
        for (long to = surplus(); to > 0; to = surplus()) {
            long unused = writer.deleteDocuments(LongPoint.newRangeQuery(ID, 0, to));
            floor = Math.max(floor, to);
            prunes.increment();
            LOG.info("search index is full, its oldest statuses leave it upTo={}", to);
            writer.forceMergeDeletes();
        }
    }

    /** Up to which id statuses are to leave; 0 = none. */
    private long surplus() throws IOException {
        searchers.maybeRefreshBlocking();
        IndexSearcher searcher = searchers.acquire();
        try {
            return bytes(searcher) <= settings.bytesMax() ? 0 : tenth(searcher);
        } finally {
            searchers.release(searcher);
        }
    }

    /** The smallest id up to which a tenth of the statuses is; 0 = there are none. */
    private static long tenth(IndexSearcher searcher) throws IOException {
        int wanted = searcher.getIndexReader().numDocs() / 10 + 1;
        long low = end(searcher, OLDEST);
        long high = end(searcher, NEWEST);
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (searcher.count(LongPoint.newRangeQuery(ID, 0, middle)) < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static long end(IndexSearcher searcher, Sort sort) throws IOException {
        TopFieldDocs one = searcher.search(new MatchAllDocsQuery(), 1, sort);
        return one.scoreDocs.length == 0 ? 0 : (Long) ((FieldDoc) one.scoreDocs[0]).fields[0];
    }

    /** The bytes of the searched files; those of the commit before may be there beside them. */
    private static long bytes(IndexSearcher searcher) throws IOException {
        long sum = 0;
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            sum += ((SegmentReader) leaf.reader()).getSegmentInfo().sizeInBytes();
        }
        return sum;
    }

    /** Reposts have no words, and direct messages are not searched. */
    private static boolean isIndexed(Status status) {
        return status.kind() != Post.Kind.REPOST && status.visibility() != Visibility.DIRECT;
    }

    /** The fields of a status. A change here must change {@link #FORMAT_NOW} too. */
    private static Document document(Status status) {
        Content content = status.post().content();
        Document document = new Document();
        document.add(new LongPoint(ID, status.id()));
        document.add(new NumericDocValuesField(ID, status.id()));
        add(document, KEY, status.id());
        add(document, AUTHOR, status.authorId());
        content.mentions().stream().map(Mention::accountId).distinct().forEach(id -> add(document, MENTION, id));
        content.tags().forEach(tag -> add(document, TAG, tag));
        add(document, VISIBILITY, status.visibility().wire());
        if (content.language() != null) {
            add(document, LANGUAGE, base(content.language()));
        }
        if (!content.attachments().isEmpty()) {
            add(document, HAS, "media");
            content.attachments().stream().map(Attachment::type).distinct().forEach(type -> add(document, HAS, type));
        }
        if (TextEntities.in(content.text()).stream().anyMatch(entity -> entity.kind() == TextEntities.Kind.ADDRESS)) {
            add(document, HAS, "link");
        }
        if (content.poll() != null) {
            add(document, HAS, "poll");
            content.poll().options().forEach(option -> document.add(text(option)));
        }
        if (status.post().isQuote()) {
            add(document, HAS, "quote");
        }
        if (status.post().replyTo() != null) {
            add(document, IS, "reply");
        }
        if (content.sensitive()) {
            add(document, IS, "sensitive");
        }
        document.add(text(content.spoilerText()));
        document.add(text(content.text()));
        content.attachments().stream()
                .map(Attachment::description)
                .forEach(description -> document.add(text(description)));
        return document;
    }

    private static void add(Document document, String field, Object value) {
        document.add(new StringField(field, String.valueOf(value), Field.Store.NO));
    }

    private static Field text(String words) {
        return new TextField(TEXT, SearchWords.folded(words), Field.Store.NO);
    }

    /** The base language: {@code zh} of {@code zh-CN}. */
    private static String base(String language) {
        return language.split("[-_]", 2)[0].toLowerCase(Locale.ROOT);
    }

    /**
     * Ids of statuses that match, the newest first: what the index knows of them, which may be a moment old. Fails with
     * {@code Refusal(OVERLOADED)} when too many wait.
     */
    public Future<List<Long>> search(Request request, int max) {
        if (searchers == null) {
            return Future.succeededFuture(List.of());
        }
        if (!places.tryAcquire()) {
            refusals.increment();
            return Future.failedFuture(Refusal.overloaded(
                    "Too many searches wait on this server: search again in a few seconds.", RETRY_SECONDS));
        }
        return searching
                // Not those of before the wait: the index may have been opened again.
                .executeBlocking(() -> found(searchers, request, max), /* ordered= */ false)
                .onComplete(done -> places.release());
    }

    private List<Long> found(SearcherManager manager, Request request, int max) throws IOException {
        IndexSearcher shared = manager.acquire();
        try {
            IndexSearcher searcher = new IndexSearcher(shared.getIndexReader());
            searcher.setQueryCache(null);
            searcher.setTimeout(new QueryTimeoutImpl(settings.timeout().toMillis()));
            Query query = query(request);
            if (query == null) {
                return List.of();
            }
            TopFieldDocs top = searcher.search(query, max, NEWEST);
            List<Long> ids = new ArrayList<>(top.scoreDocs.length);
            for (ScoreDoc found : top.scoreDocs) {
                ids.add((Long) ((FieldDoc) found).fields[0]);
            }
            return ids;
        } finally {
            manager.release(shared);
        }
    }

    /** Null = no part says anything, such as a dash alone. */
    private Query query(Request request) {
        BooleanQuery.Builder all = new BooleanQuery.Builder();
        all.add(LongPoint.newRangeQuery(ID, request.above() + 1, request.below() - 1), Occur.FILTER);
        all.add(seen(request), Occur.FILTER);
        if (request.author() != 0) {
            all.add(term(AUTHOR, request.author()), Occur.FILTER);
        }
        boolean says = false;
        for (SearchQuery.Clause clause : request.query().clauses()) {
            Query query = query(clause, request);
            if (query != null) {
                says = true;
                all.add(query, clause.negated() ? Occur.MUST_NOT : Occur.FILTER);
            }
        }
        return says ? all.build() : null;
    }

    /** Public statuses, and those that are the viewer's own or name the viewer. */
    private static Query seen(Request request) {
        return any(term(VISIBILITY, Visibility.PUBLIC.wire()), library(request));
    }

    private static Query library(Request request) {
        return any(term(AUTHOR, request.viewer()), term(MENTION, request.viewer()));
    }

    /** Null = says nothing. */
    private Query query(SearchQuery.Clause clause, Request request) {
        return switch (clause.kind()) {
            // Null when it has no letter.
            case WORDS -> new QueryBuilder(queryWords).createPhraseQuery(TEXT, SearchWords.folded(clause.value()));
            case TAG -> term(TAG, clause.value());
            case FROM -> from(clause.value(), request);
            case HAS -> term(HAS, clause.value());
            case IS -> term(IS, clause.value());
            case IN -> in(clause.value(), request);
            case LANGUAGE -> term(LANGUAGE, base(clause.value()));
            case TIME -> LongPoint.newRangeQuery(ID, clause.from(), clause.to());
        };
    }

    private static Query from(String name, Request request) {
        Long author = name.equals("me")
                ? Long.valueOf(request.viewer())
                : request.names().get(name);
        return author == null ? new MatchNoDocsQuery() : term(AUTHOR, author);
    }

    private static Query in(String place, Request request) {
        return switch (place) {
            case "library" -> library(request);
            case "public" -> term(VISIBILITY, Visibility.PUBLIC.wire());
            default -> null;
        };
    }

    private static Query any(Query one, Query other) {
        return new BooleanQuery.Builder()
                .add(one, Occur.SHOULD)
                .add(other, Occur.SHOULD)
                .build();
    }

    private static Query term(String field, Object value) {
        return new TermQuery(new Term(field, String.valueOf(value)));
    }

    /** How many statuses it has. */
    public Future<Integer> size() {
        return write(() -> writer.getDocStats().numDocs);
    }

    /** Closes what is open, without keeping what was applied since the last commit. */
    Future<Void> close() {
        return write(() -> {
                    if (writer != null) {
                        searchers.close();
                        writer.close();
                    }
                    return (Void) null;
                })
                .eventually(writing::close)
                .eventually(searching::close);
    }

    private <T> Future<T> write(Callable<T> step) {
        return writing.executeBlocking(() -> opens(step), /* ordered= */ true);
    }

    /** Lucene closes a writer that could not write. */
    private <T> T opens(Callable<T> step) throws Exception {
        try {
            return step.call();
        } finally {
            open = writer != null && writer.isOpen();
        }
    }
}
