package io.fanfare.api.endpoint;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.media.ClipLimit;
import io.fanfare.media.MediaProcessor;
import io.fanfare.server.http.BodyReader;
import io.fanfare.server.http.FileLimits;
import io.fanfare.server.http.FileParts;
import io.fanfare.server.http.IdleTime;
import io.fanfare.server.http.Parameters;
import io.fanfare.server.http.RequestBody;
import io.fanfare.server.http.TimeLimit;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.function.LongSupplier;

/**
 * Reads the body of a request, with its files where the endpoint takes files, and limits the time of the request by
 * what its body may be. Confined to one event loop.
 */
public final class RequestBodies {
    private final BodyReader bodies;
    private final int bodyMaxBytes;
    private final Settings.Media files;
    private final MediaProcessor media;
    private final DiskReserve disk;
    private final LongSupplier nanos;
    private final TimeLimit time;
    private final TimeLimit hashTime;
    private final TimeLimit uploadTime;
    private final TimeLimit videoTime;

    /**
     * @param media null = no files are accepted
     * @param disk space that files may take
     * @param nanos elapsed time
     */
    public RequestBodies(
            BodyReader bodies, Settings settings, MediaProcessor media, DiskReserve disk, LongSupplier nanos) {
        this.bodies = bodies;
        this.bodyMaxBytes = settings.http().bodyMaxBytes();
        this.files = settings.media();
        this.media = media;
        this.disk = disk;
        this.nanos = nanos;
        this.time = new TimeLimit(settings.http().requestTimeout(), nanos);
        this.hashTime = new TimeLimit(settings.http().requestTimeout().plus(settings.hashWait()), nanos);
        this.uploadTime = new TimeLimit(settings.media().uploadTimeout(), nanos);
        this.videoTime = new TimeLimit(settings.media().videoTimeout(), nanos);
    }

    /** Limits the time of a request from now on. */
    public void beginTime(RoutingContext ctx, Endpoint endpoint) {
        limit(ctx, endpoint).begin(ctx);
    }

    /** Limits it no longer: a long answer may take as long as its reader likes. */
    public void endTime(RoutingContext ctx, Endpoint endpoint) {
        limit(ctx, endpoint).end(ctx);
        hashTime.end(ctx);
    }

    /** Its body has come in the time that every request has; from now on its hash may take longer. */
    public void beginHash(RoutingContext ctx, Endpoint endpoint) {
        if (endpoint.hashes() && !ctx.response().ended()) {
            time.end(ctx);
            hashTime.begin(ctx);
        }
    }

    /** Stops the body until it is read or skipped; refuses one that is declared longer than its endpoint takes. */
    public void hold(RoutingContext ctx, Endpoint endpoint) {
        int bytesMax = bytesMax(endpoint);
        bodies.hold(
                ctx, hasFiles(ctx, endpoint) ? bytesMax + fileLimits(endpoint).bytesMax() : bytesMax);
    }

    /**
     * Reads the parameters of a request. A GET may have a short body too: some clients send its parameters so, such as
     * Mastodon.py for familiar_followers.
     */
    public Future<Parameters> parameters(RoutingContext ctx, Endpoint endpoint, Principal principal) {
        boolean read = endpoint.body() || endpoint.method().equals(HttpMethod.GET);
        if (hasFiles(ctx, endpoint)) {
            FileParts parts = new FileParts(
                    ctx.vertx(),
                    media,
                    principal.userId(),
                    fileLimits(endpoint),
                    nanos,
                    () -> room(ctx, endpoint),
                    listener(ctx, endpoint));
            int unused = ctx.addEndHandler(end -> parts.end());
            IdleTime.stretch(ctx, mayBeVideo(ctx, endpoint) ? files.videoTimeout() : files.uploadTimeout());
            return bodies.read(ctx, bytesMax(endpoint), principal, parts).onComplete(done -> parts.whole());
        }
        return read ? bodies.read(ctx, bytesMax(endpoint), principal) : bodies.skip(ctx);
    }

    private FileParts.Listener listener(RoutingContext ctx, Endpoint endpoint) {
        return new FileParts.Listener() {
            @Override
            public void begun() {
                IdleTime.suspend(ctx);
            }

            @Override
            public void awaitsClient() {
                awaitClient(ctx, endpoint);
            }

            @Override
            public void awaitsServer() {
                awaitServer(ctx, endpoint);
            }
        };
    }

    /** From now on the speed of the upload is watched, not how long it takes. */
    private void awaitClient(RoutingContext ctx, Endpoint endpoint) {
        limit(ctx, endpoint).end(ctx);
    }

    /** From now on the time of the server is limited: until the disk has taken the bytes, or until the answer. */
    private void awaitServer(RoutingContext ctx, Endpoint endpoint) {
        if (!ctx.response().ended() && !ctx.response().closed()) {
            TimeLimit limit = limit(ctx, endpoint);
            limit.end(ctx);
            limit.begin(ctx);
        }
    }

    private TimeLimit limit(RoutingContext ctx, Endpoint endpoint) {
        if (endpoint.files() == Endpoint.Files.NONE) {
            return time;
        }
        return mayBeVideo(ctx, endpoint) ? videoTime : uploadTime;
    }

    /** Whether it is longer than a picture, or may be. */
    private boolean mayBeVideo(RoutingContext ctx, Endpoint endpoint) {
        long declared = RequestBody.declared(ctx.request());
        return endpoint.files() == Endpoint.Files.ANY
                && files.takesClips()
                && (declared < 0 || declared > files.bytesMax());
    }

    private int bytesMax(Endpoint endpoint) {
        return endpoint.body() ? bodyMaxBytes : BodyReader.UNASKED_BYTES_MAX;
    }

    private FileLimits fileLimits(Endpoint endpoint) {
        boolean any = endpoint.files() == Endpoint.Files.ANY;
        return new FileLimits(files.bytesMax(), any ? new ClipLimit(files.videoBytesMax()) : null);
    }

    /** Room on the disk for the files of a request, which are not longer than it and than they may be. */
    private Runnable room(RoutingContext ctx, Endpoint endpoint) {
        String length = ctx.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        long most = fileLimits(endpoint).bytesMax();
        // The decoder of requests has checked that it is a number.
        return disk.hold(media.store().draft(), length == null ? most : Math.min(most, Long.parseLong(length)));
    }

    private static boolean hasFiles(RoutingContext ctx, Endpoint endpoint) {
        return endpoint.files() != Endpoint.Files.NONE
                && BodyReader.hasBody(ctx)
                && BodyReader.isMultipart(ctx.request());
    }
}
