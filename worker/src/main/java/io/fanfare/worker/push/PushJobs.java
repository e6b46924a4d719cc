package io.fanfare.worker.push;

import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.PushSubscriptions;
import io.fanfare.core.LoopStores;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobType;
import io.fanfare.vertx.VertxInternals;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.WorkerFeature;
import io.fanfare.worker.handler.WorkerParts;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientOptions;
import java.security.SecureRandom;
import java.util.Map;

/** Web Push. May be left out of a build. */
public final class PushJobs implements WorkerFeature {
    private final WorkerParts parts;
    private SealedTexts tokens = SealedTexts.closed();

    /** Null = no pushes are sent. */
    private PushSender sender;

    public PushJobs(WorkerParts parts) {
        this.parts = parts;
    }

    /** Reads the keys. A process without a key of access tokens sends pushes without them. */
    @Override
    public Future<Void> start() {
        Settings settings = parts.settings();
        Meta meta = new Meta(parts.redis(), new SecureRandom());
        return meta.vapid(settings.push())
                .compose(vapid -> vapid == null
                        ? Future.succeededFuture()
                        : meta.signingKeys(settings.auth())
                                .map(keys -> new SealedTexts(keys, SealedTexts.PUSH_TOKEN))
                                .recover(cause -> cause instanceof IllegalStateException
                                        ? Future.succeededFuture(SealedTexts.closed())
                                        : Future.failedFuture(cause))
                                .onSuccess(read -> {
                                    tokens = read;
                                    sender = sender(vapid);
                                })
                                .mapEmpty());
    }

    private PushSender sender(Vapid vapid) {
        Settings settings = parts.settings();
        String contact = settings.instance().contactEmail();
        String url = settings.http().publicUrl();
        String subject = url.startsWith("https:") ? url : "";
        return new PushSender(
                parts.vertx(),
                settings.push(),
                vapid,
                contact.isEmpty() ? subject : "mailto:" + contact,
                parts.clock(),
                parts.nanos(),
                new SecureRandom(),
                name -> VertxInternals.addresses(parts.vertx(), name),
                new HttpClientOptions());
    }

    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        return Map.of(JobType.PUSH, handler(stores));
    }

    private JobHandler<Job.Push> handler(LoopStores stores) {
        if (sender == null) {
            return PushHandler.off();
        }
        PushMessages messages = new PushMessages(
                stores.notifications(), stores.accounts(), stores.viewerRelationships(), stores.views(), tokens);
        return new PushHandler(
                parts.vertx(),
                parts.settings().push(),
                new PushSubscriptions(stores.redis()),
                messages,
                sender,
                parts.clock(),
                parts.random(),
                new PushMetrics(parts.metrics()));
    }

    @Override
    public Future<Void> close() {
        return sender == null ? Future.succeededFuture() : sender.close();
    }
}
