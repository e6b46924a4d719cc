package io.fanfare.api.media;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.ProfilePictures;
import io.fanfare.common.store.Uploads;
import io.fanfare.media.MediaSweep;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Uploads and their files. May be left out of a build. */
public final class MediaFeature implements ApiFeature {
    private final MediaRoutes media;
    private final Pictures pictures;

    /** Null = this process has no store of files. */
    private final MediaSweep sweep;

    public MediaFeature(ApiLoop loop) {
        Uploads uploads =
                new Uploads(loop.stores().redis(), loop.settings().media().accountBytesMax());
        this.sweep = loop.media() == null
                ? null
                : new MediaSweep(
                        loop.vertx(), loop.shards(), uploads, loop.media().store(), loop.clock());
        this.pictures = new Pictures(loop.media(), uploads, loop.rates(), loop.announcer(), loop.settings());
        this.media = new MediaRoutes(
                loop.media(), loop.settings().media().s3().publicUrl(), pictures, uploads, loop.views(), loop.clock());
    }

    @Override
    public List<Endpoint> endpoints() {
        return media.endpoints();
    }

    @Override
    public Future<Void> start() {
        if (sweep != null) {
            sweep.start();
        }
        return Future.succeededFuture();
    }

    @Override
    public Optional<ProfilePictures> profilePictures() {
        return Optional.of(pictures::profile);
    }
}
