package io.fanfare.app;

import io.fanfare.common.settings.Settings;
import io.fanfare.worker.mail.SmtpSender;
import io.fanfare.worker.mail.SmtpSender.Result;
import io.fanfare.worker.mail.SmtpSender.Verdict;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLSocketFactory;

/** The {@code fanfare doctor} check of the mail server, and the connection for {@code fanfare admin mail}. */
final class MailExam {
    private static final String AREA = "mail";

    private MailExam() {}

    /** Begins a session with the mail server, and sends no mail. */
    static List<Finding> run(Settings settings) {
        Settings.Mail mail = settings.mail();
        if (!mail.isOn()) {
            return List.of(Finding.ok(
                    AREA, "no mails are sent (mail.host is empty): only operators can reset forgotten passwords"));
        }
        Result result = ask(settings, SmtpSender::check);
        return List.of(
                result.verdict() == Verdict.SENT
                        ? Finding.ok(AREA, "the mail server " + server(mail) + " accepts a session")
                        : Finding.error(
                                AREA,
                                "no mails can be sent by " + server(mail) + ": " + result.reason(),
                                "correct the settings mail.*, or start the mail server"));
    }

    static String server(Settings.Mail mail) {
        return mail.host() + ":" + mail.port();
    }

    /** Blocks for the result. */
    static Result ask(Settings settings, Function<SmtpSender, Future<Result>> question) {
        return RemoteStores.askOutside(vertx -> {
            SmtpSender sender = sender(vertx, settings);
            return question.apply(sender).eventually(sender::close);
        });
    }

    private static SmtpSender sender(Vertx vertx, Settings settings) {
        return new SmtpSender(
                vertx, settings.mail(), settings.instance().title(), InstantSource.system(), (SSLSocketFactory)
                        SSLSocketFactory.getDefault());
    }
}
