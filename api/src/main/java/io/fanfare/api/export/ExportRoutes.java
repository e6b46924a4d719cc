package io.fanfare.api.export;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.store.Accounts;
import io.fanfare.media.StoredFile;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Subject;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Exports of users: their lists as the CSV files of Mastodon, and all their data as one archive. Each is made while it
 * is sent. Confined to one event loop.
 */
public final class ExportRoutes {
    private static final String PATH = "/api/v1/exports/";

    private static final Map<CsvExports.File, String> SCOPES = Map.of(
            CsvExports.File.FOLLOWS, "read:follows",
            CsvExports.File.BLOCKS, "read:blocks",
            CsvExports.File.MUTES, "read:mutes",
            CsvExports.File.LISTS, "read:lists",
            CsvExports.File.BOOKMARKS, "read:bookmarks");

    private final CsvExports csv;
    private final AccountExport export;
    private final Accounts accounts;
    private final AuditLog audit;
    private final InstantSource clock;
    private final RateLimits rates;
    private final Function<HttpServerRequest, Future<Principal>> identify;
    private final ExportLimiter gate;

    /**
     * @param identify says who has sent a request, and fails when its token has ended meanwhile
     * @param nanos elapsed time
     */
    public ExportRoutes(
            CsvExports csv,
            AccountExport export,
            Accounts accounts,
            RateLimits rates,
            Function<HttpServerRequest, Future<Principal>> identify,
            AuditLog audit,
            InstantSource clock,
            LongSupplier nanos) {
        this.csv = csv;
        this.export = export;
        this.accounts = accounts;
        this.rates = rates;
        this.identify = identify;
        this.gate = new ExportLimiter(nanos);
        this.audit = audit;
        this.clock = clock;
    }

    public List<Endpoint> endpoints() {
        Stream<Endpoint> lists = Stream.of(CsvExports.File.values()).map(this::list);
        Endpoint archive = get(PATH + "archive.zip", Access.user("read"), this::archive);
        return Stream.concat(lists, Stream.of(archive)).toList();
    }

    private Endpoint list(CsvExports.File file) {
        return get(PATH + file.path() + ".csv", Access.user(SCOPES.get(file)), call -> list(call, file));
    }

    private Future<Answer> list(Call call, CsvExports.File file) {
        return sent(csv.of(file, call.viewer()), "text/csv; charset=utf-8", file.fileName());
    }

    private Future<Answer> archive(Call call) {
        long account = call.viewer();
        if (call.request().method().equals(HttpMethod.HEAD)) {
            // No archive is made, and none is counted.
            return accounts.require(account)
                    .map(owner -> answer(
                            StoredFile.unopened(StoredFile.Part.UNKNOWN),
                            "application/zip",
                            fileName(owner.username())));
        }
        return accounts.require(account)
                .compose(owner -> gate.begin(
                                account,
                                () -> identify.apply(call.request()).mapEmpty(),
                                // Counted when there is a place: an attempt that is refused for another is not.
                                () -> rates.take(call.request(), call.principal(), RateLimit.EXPORTS)
                                        .compose(taken -> export.of(account, AccountExport.Reader.TOKEN)))
                        .compose(pieces -> sent(pieces, "application/zip", fileName(owner.username()))))
                .onSuccess(begun -> audit.note(call.request(), Event.ACCOUNT_EXPORTED, Subject.of(call.principal())));
    }

    private String fileName(String username) {
        return username + "-" + LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC) + ".zip";
    }

    private static Future<Answer> sent(ChunkSource pieces, String type, String fileName) {
        return ChunkSource.begun(pieces).map(begun -> answer(new StreamedPieces(begun), type, fileName));
    }

    private static Answer answer(StoredFile.Part body, String type, String fileName) {
        return Answer.part(type, body)
                .header("Content-Disposition", "attachment; filename=\"" + fileName + "\"")
                .header("Cache-Control", "private, no-store");
    }
}
