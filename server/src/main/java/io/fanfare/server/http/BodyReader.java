package io.fanfare.server.http;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.model.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;

/**
 * Reads the parameters of requests, in two steps with all that need not know them in between: {@link #hold} when the
 * head has come, then who asks and how often, then {@link #read}. So a body is taken in only of those who may send it,
 * and only within a limit that can depend on who they are. How long a body is waited for is the caller's matter
 * ({@link TimeLimit}). Confined to one event loop.
 */
public final class BodyReader {
    /**
     * Operations without a body in openapi.yaml take one of this many bytes: some clients send {@code {}} with every
     * POST, and Mastodon.py sends the parameters of a GET as JSON. A list of 160 ids fits in.
     */
    public static final int UNASKED_BYTES_MAX = 4 << 10;

    private static final String MULTIPART = "multipart/form-data";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";

    private final BodyBudget budget;
    private final ClientAddress addresses;

    /** @param budget of the process */
    public BodyReader(BodyBudget budget, ClientAddress addresses) {
        this.budget = budget;
        this.addresses = addresses;
    }

    /**
     * Keeps the body from coming until it is read. To be called before anything is waited for. Refuses
     * ({@code TOO_LARGE}) one that is declared to be longer than {@code bytesMax}.
     */
    public void hold(RoutingContext ctx, long bytesMax) {
        RequestBody body = RequestBody.of(ctx);
        if (body != null) {
            checkDeclared(body, bytesMax);
            body.hold(budget::abandoned);
        }
    }

    /** Whether anything has to be waited for. */
    public static boolean hasBody(RoutingContext ctx) {
        return RequestBody.of(ctx) != null;
    }

    /** The parameters of the address alone; what comes of a body is thrown away. */
    public Future<Parameters> skip(RoutingContext ctx) {
        return Future.future(read -> {
            Parameters parameters = Parameters.ofQuery(ctx.queryParams());
            RequestBody body = RequestBody.of(ctx);
            if (body != null) {
                body.discard();
            }
            read.complete(parameters);
        });
    }

    /**
     * The parameters of address and body. Fails with {@code TOO_LARGE} for a body of more than {@code bytesMax} bytes,
     * with {@code OVERLOADED} when bodies take as much memory as they may.
     *
     * @param principal whose body it is; null = nobody in particular
     */
    public Future<Parameters> read(RoutingContext ctx, int bytesMax, Principal principal) {
        return read(ctx, bytesMax, principal, null);
    }

    /**
     * The same with files, if it is a multipart form, which may have {@code bytesMax} beside them.
     *
     * @param files where they go; null = none are taken
     */
    public Future<Parameters> read(RoutingContext ctx, int bytesMax, Principal principal, FileParts files) {
        return Future.<Future<Parameters>>future(begun -> begun.complete(begin(ctx, bytesMax, principal, files)))
                .compose(reading -> reading);
    }

    /** Whether the body is a form that may have files. */
    public static boolean isMultipart(HttpServerRequest request) {
        return type(request).equals(MULTIPART);
    }

    private static String type(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.CONTENT_TYPE);
        return header == null
                ? ""
                : header.toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
    }

    /** Frees the memory of the body, though the response has not ended: its parameters are not needed any more. */
    public void done(RoutingContext ctx) {
        RequestBody body = RequestBody.of(ctx);
        if (body != null) {
            body.drop();
        }
    }

    private Future<Parameters> begin(RoutingContext ctx, int bytesMax, Principal principal, FileParts files) {
        HttpServerRequest request = ctx.request();
        refuseCoding(request.getHeader(HttpHeaders.CONTENT_ENCODING));
        RequestBody body = RequestBody.of(ctx);
        ParameterReader query = new ParameterReader();
        query.addAll(ctx.queryParams());
        if (body == null) {
            return Future.succeededFuture(query.parameters());
        }
        long longest = files == null ? bytesMax : bytesMax + files.bytesMax();
        checkDeclared(body, longest);
        boolean ofUser = principal != null && principal.userId() != 0;
        BodyBudget.Claim claim = ofUser ? budget.ofUser(principal.userId()) : budget.ofAddress(addresses.of(request));
        int mostBytes = body.declared() < 0 ? bytesMax : (int) Math.min(bytesMax, body.declared());
        if (files != null) {
            Form form = new MultipartForm(
                    request.getHeader(HttpHeaders.CONTENT_TYPE), query.under(), claim, files, bytesMax);
            files.onRoom(body::resume);
            files.onEnded(body::end);
            return body.collect(new Limited(form, longest, claim, files)).compose(whole -> {
                ParameterReader reader = form.finish();
                return files.settled().map(reader::parameters);
            });
        }
        Form form = form(request, query.under(), mostBytes, claim);
        return body.collect(new Limited(form, bytesMax, claim, null))
                .map(whole -> form.finish())
                .map(ParameterReader::parameters);
    }

    private static void checkDeclared(RequestBody body, long bytesMax) {
        if (body.declared() > bytesMax) {
            throw tooLarge(bytesMax);
        }
    }

    static Refusal tooLarge(long bytesMax) {
        return new Refusal(
                Refusal.Reason.TOO_LARGE, "The body is too large: send at most " + bytesMax + " bytes here.");
    }

    private static void refuseCoding(String coding) {
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw new Refusal(
                    Refusal.Reason.WRONG_TYPE, "Compressed bodies are not read here: send the body as it is.");
        }
    }

    /** A body of some type. */
    interface Form {
        void add(Buffer piece);

        /** Nothing more comes: the parameters. */
        ParameterReader finish();

        /** Frees what is not the collector's to free. */
        default void drop() {}
    }

    private static Form form(HttpServerRequest request, ParameterReader into, int bytesMax, BodyBudget.Claim claim) {
        String header = request.getHeader(HttpHeaders.CONTENT_TYPE);
        String type = type(request);
        if (type.equals(MULTIPART)) {
            boolean reads =
                    request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
            if (reads) {
                throw new Refusal(
                        Refusal.Reason.MALFORMED,
                        "A GET has no parts: send the parameters in its address, or as an URL-encoded form or JSON.");
            }
            return new MultipartForm(header, into, claim, null, bytesMax);
        }
        CollectedBytes bytes = new CollectedBytes(bytesMax, claim);
        if (type.equals(JSON) || type.endsWith("+json")) {
            return bytes.then(into::addJson, into);
        }
        if (type.equals(FORM)) {
            return bytes.then(into::addForm, into);
        }
        return type.isEmpty() ? bytes.then(into::addUnknown, into) : new WrongType(into);
    }

    /** A body of a type that is not read, which is refused at its first byte. */
    private record WrongType(ParameterReader into) implements Form {
        @Override
        public void add(Buffer piece) {
            throw ParameterReader.wrongType();
        }

        @Override
        public ParameterReader finish() {
            return into;
        }
    }

    /** The limit of the body's length, and the end of what it holds of the budget. */
    private static final class Limited implements RequestBody.Intake {
        private final Form form;
        private final long bytesMax;
        private final BodyBudget.Claim claim;
        private final FileParts files;
        private long received;

        Limited(Form form, long bytesMax, BodyBudget.Claim claim, FileParts files) {
            this.files = files;
            this.form = form;
            this.bytesMax = bytesMax;
            this.claim = claim;
        }

        @Override
        public void add(Buffer piece) {
            received += piece.length();
            if (received > bytesMax) {
                throw tooLarge(bytesMax);
            }
            form.add(piece);
            if (files != null) {
                files.received(piece.length());
            }
        }

        @Override
        public boolean isFull() {
            return files != null && files.isFull();
        }

        @Override
        public void pause(boolean now) {
            if (files != null) {
                files.pause(now);
            }
        }

        @Override
        public void drop() {
            form.drop();
            claim.release();
        }
    }
}
