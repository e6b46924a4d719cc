package io.fanfare.verify.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.RedisLink;
import io.fanfare.verify.Report;
import io.fanfare.verify.Verifier;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.Verifier.Watcher;
import io.vertx.core.Future;

/** Verifies the data of a test, which is at rest: further looks follow at once. */
public final class Verification {
    private Verification() {}

    /** To be called on the event loop of the link. */
    public static Future<Report> of(RedisLink link, Settings settings, Scope scope, boolean repair) {
        return of(link, settings, Archive.none(), scope, repair);
    }

    /** The same with the rows of an archive. */
    public static Future<Report> of(RedisLink link, Settings settings, Archive archive, Scope scope, boolean repair) {
        Shards shards = new Shards(settings.redis().shards());
        return new Verifier(
                        link,
                        link,
                        shards,
                        settings,
                        archive,
                        millis -> Future.succeededFuture(),
                        Watcher.SILENT,
                        scope,
                        repair)
                .run();
    }

    /** The same of everything, without repairs. */
    public static Future<Report> of(RedisLink link, Settings settings) {
        return of(link, settings, Scope.ALL, false);
    }

    /** Fails with the differences, if there are any. */
    public static void assertClean(Report report) {
        assertThat(report.left()).as("differences").isEmpty();
        assertThat(report.inFlux()).as("in flux").isEmpty();
        assertThat(report.isClean()).isTrue();
        assertThat(report.keysNotRead()).isEmpty();
        assertThat(report.archiveNotRead()).isEmpty();
    }
}
