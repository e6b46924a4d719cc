package io.fanfare.app;

import io.fanfare.common.auth.Secrets;
import io.fanfare.common.settings.Settings;
import io.fanfare.server.runtime.StartFailed;
import io.fanfare.worker.mail.SmtpSender.Result;
import io.fanfare.worker.mail.SmtpSender.Verdict;
import java.security.SecureRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin mail}: the way of mails to the mail server. */
@Command(
        name = "mail",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Tries the mail server of mail.host.")
final class AdminMailCommand {
    private static final int ID_BYTES = 12;

    @Command(
            name = "test",
            mixinStandardHelpOptions = true,
            description = "Sends a test mail from this machine, past the queue, and says what the mail server answered."
                    + " Give it the --config of the workers.")
    int test(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ADDRESS", description = "The address that the mail goes to.") String address) {
        Logging.ofCommand();
        Settings settings = options.looking();
        if (!settings.mail().isOn()) {
            throw new StartFailed(
                    "mail.host is empty, so no mails are sent: set it and mail.from (docs/operate/mail.md)");
        }
        String id = "test." + Secrets.draw(new SecureRandom(), ID_BYTES);
        Result result = MailExam.ask(
                settings, sender -> sender.sendTest(id, address, settings.http().publicUrl()));
        String server = MailExam.server(settings.mail());
        if (result.verdict() != Verdict.SENT) {
            System.err.println("not sent by " + server + ": " + result.reason());
            return ExitStatus.FAILED;
        }
        System.out.println("accepted by " + server + ": look into the mailbox, also among junk mail");
        return ExitStatus.DONE;
    }
}
