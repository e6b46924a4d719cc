package io.fanfare.api.mail;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.MailLanguage;
import io.fanfare.core.mail.Mails;
import io.fanfare.failure.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms e-mail addresses by a mailed link. A sign-up sends the first mail; an app requests further ones as in
 * Mastodon. Confined to one event loop.
 */
final class ConfirmationRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(ConfirmationRoutes.class);

    /** The window of {@link RateLimit#MAILS_TO_ADDRESS}. */
    private static final int RETRY_SECONDS = 3600;

    private final boolean on;
    private final MailPages english;
    private final MailPages chinese;
    private final Mails mails;
    private final Redis redis;
    private final RateLimits rates;
    private final InstantSource clock;

    ConfirmationRoutes(ApiLoop loop) {
        this.on = loop.settings().mail().isOn();
        String base = URI.create(loop.publicUrl()).getRawPath();
        String site = loop.settings().instance().title();
        this.english = new MailPages(MailLanguage.EN, site, base);
        this.chinese = new MailPages(MailLanguage.ZH, site, base);
        this.mails = new Mails(loop.redis());
        this.redis = loop.redis();
        this.rates = loop.rates();
        this.clock = loop.clock();
    }

    List<Endpoint> endpoints() {
        return List.of(
                post(
                                "/api/v1/emails/confirmations",
                                Access.user("write:accounts").whileUnconfirmed(),
                                this::sendAgain)
                        .withoutBody(),
                get(
                        "/api/v1/emails/check_confirmation",
                        Access.user("read:accounts").whileUnconfirmed(),
                        this::check),
                get("/auth/confirmation", Access.OPEN, this::show),
                post("/auth/confirmation", Access.OPEN, this::confirm));
    }

    /** Sends the mail of a sign-up, which does not wait for it. */
    void signedUp(HttpServerRequest request, long account) {
        if (on) {
            mails.request(account, MailKind.CONFIRM, 0, PasswordResetRoutes.language(request))
                    .onFailure(cause -> LOG.warn("no mail for a sign-up was enqueued cause={}", Reason.kind(cause)));
        }
    }

    private MailPages pages(Call call) {
        return PasswordResetRoutes.language(call.request()) == MailLanguage.ZH ? chinese : english;
    }

    private Future<Answer> sendAgain(Call call) {
        return rates.take(call.request(), call.principal(), RateLimit.MAILS)
                .compose(passed ->
                        redis.send(Command.of("HMGET", Keys.user(call.viewer()), Accounts.UNCONFIRMED, "email")))
                .map(Reply::items)
                .compose(fields -> {
                    if (fields.get(0).isNil() || fields.get(1).isNil()) {
                        throw new Refusal(
                                Refusal.Reason.FORBIDDEN,
                                "This method is only available while the e-mail is awaiting confirmation");
                    }
                    return rates.takeMailTo(fields.get(1).asString());
                })
                .compose(granted -> granted
                        ? mails.request(
                                call.viewer(), MailKind.CONFIRM, 0, PasswordResetRoutes.language(call.request()))
                        : Future.failedFuture(Refusal.tooMany(
                                "Three mails have been sent to this address within an hour: look among junk mail, or wait.",
                                RETRY_SECONDS)))
                .map(Answer.EMPTY_OBJECT);
    }

    private Future<Answer> check(Call call) {
        return redis.send(Command.of("HEXISTS", Keys.user(call.viewer()), Accounts.UNCONFIRMED))
                .map(waits -> Answer.json(json -> json.writeBoolean(waits.asLong() == 0)));
    }

    private Future<Answer> show(Call call) {
        String token = call.parameters().text("token", "");
        return mails.isGood(MailKind.CONFIRM, token, clock.millis())
                .map(good -> good ? pages(call).confirm(token) : pages(call).unconfirmable());
    }

    private Future<Answer> confirm(Call call) {
        return rates.take(call.request(), null, RateLimit.LOGINS)
                .compose(passed -> mails.confirm(call.parameters().text("token", "")))
                .map(done -> done ? pages(call).confirmed() : pages(call).unconfirmable());
    }
}
