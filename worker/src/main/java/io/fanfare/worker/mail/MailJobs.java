package io.fanfare.worker.mail;

import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Meta;
import io.fanfare.core.LoopStores;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.mail.SignInPlaces;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.WorkerFeature;
import io.fanfare.worker.handler.WorkerParts;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;

/** Mails to users. May be left out of a build. */
public final class MailJobs implements WorkerFeature {
    private final WorkerParts parts;

    /** Null = this process sends no mails. */
    private final SmtpSender sender;

    /** Null likewise. */
    private final MailHandler.Road road;

    private SealedTexts places = SealedTexts.closed();

    public MailJobs(WorkerParts parts) {
        this.parts = parts;
        Settings settings = parts.settings();
        this.sender = settings.mail().isOn()
                ? new SmtpSender(
                        parts.vertx(), settings.mail(), settings.instance().title(), parts.clock(), (SSLSocketFactory)
                                SSLSocketFactory.getDefault())
                : null;
        this.road = sender == null ? null : new MailHandler.Road(sender, parts.nanos());
    }

    /** Reads the keys. A process without a key of access tokens names no place of a log-in. */
    @Override
    public Future<Void> start() {
        return sender == null
                ? Future.succeededFuture()
                : new Meta(parts.redis(), new SecureRandom())
                        .signingKeys(parts.settings().auth())
                        .map(keys -> new SealedTexts(keys, SignInPlaces.SEALED))
                        .recover(cause -> cause instanceof IllegalStateException
                                ? Future.succeededFuture(SealedTexts.closed())
                                : Future.failedFuture(cause))
                        .onSuccess(read -> places = read)
                        .mapEmpty();
    }

    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        Settings settings = parts.settings();
        return Map.of(
                JobType.MAIL,
                new MailHandler(
                        settings.mail(),
                        stores.redis(),
                        new Mails(stores.redis()),
                        stores.notifications().warnings(),
                        new MailTexts(
                                settings.instance().title(), settings.http().publicUrl()),
                        places,
                        road,
                        parts.clock(),
                        new SecureRandom(),
                        parts.metrics()));
    }

    @Override
    public Future<Void> close() {
        return sender == null ? Future.succeededFuture() : sender.close();
    }
}
