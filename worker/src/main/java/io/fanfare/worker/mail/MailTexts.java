package io.fanfare.worker.mail;

import io.fanfare.common.text.Html;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.MailLanguage;
import io.fanfare.core.mail.Mails;
import java.util.List;
import java.util.stream.Collectors;

/** The texts of mails, in each language as plain text and as HTML. Immutable. */
final class MailTexts {
    private final String site;
    private final String publicUrl;

    /**
     * @param site the name of this server
     * @param publicUrl base of absolute URLs, without a trailing slash
     */
    MailTexts(String site, String publicUrl) {
        this.site = site;
        this.publicUrl = publicUrl;
    }

    /** The parts of a mail: a line that is a URL becomes a link. */
    private record Words(String subject, List<String> lines) {}

    /**
     * A mail to an account.
     *
     * @param token of the link, for a kind that has one
     */
    Mail of(MailKind kind, MailLanguage language, String id, Mails.Recipient to, String token) {
        boolean chinese = language == MailLanguage.ZH;
        Words words =
                switch (kind) {
                    case RESET -> reset(chinese, to.username(), publicUrl + "/auth/password/edit?token=" + token);
                    case CONFIRM -> confirm(chinese, to.username(), publicUrl + "/auth/confirmation?token=" + token);
                    case PASSWORD_CHANGED -> passwordChanged(chinese, to.username(), publicUrl + "/auth/password/new");
                };
        return mail(words, language, id, to.address());
    }

    /** A mail by which an operator tests the settings. */
    Mail test(String id, String address) {
        return mail(
                new Words(
                        "Test mail of " + site,
                        List.of("This server can send mails to this address.", "本服务器可以向此地址发送邮件。", publicUrl)),
                MailLanguage.EN,
                id,
                address);
    }

    private Words reset(boolean chinese, String username, String link) {
        return chinese
                ? new Words(
                        "重设你在 " + site + " 的密码",
                        List.of(
                                "@" + username + "，你好：",
                                "有人请求为你在 " + site + " 的帐户设置新密码。请打开下面的链接设置；它在一小时内有效，只能使用一次：",
                                link,
                                "如果不是你本人的请求，请忽略这封邮件：你的密码不会改变。"))
                : new Words(
                        "Reset your password on " + site,
                        List.of(
                                "Hello @" + username + ",",
                                "somebody has requested a new password for your account on " + site
                                        + ". Open this link to choose one. It works once, within an hour:",
                                link,
                                "If it was not you, ignore this mail: your password stays as it is."));
    }

    private Words confirm(boolean chinese, String username, String link) {
        return chinese
                ? new Words(
                        "确认你在 " + site + " 的电子邮件地址",
                        List.of(
                                "@" + username + "，你好：",
                                "你在 " + site + " 的帐户使用了此地址。请打开下面的链接并确认；链接一天内有效：",
                                link,
                                "如果不是你本人的帐户，请忽略这封邮件：一天之后，未经确认的地址可以由他人使用。"))
                : new Words(
                        "Confirm your e-mail address on " + site,
                        List.of(
                                "Hello @" + username + ",",
                                "your account on " + site
                                        + " has this address. Open this link within a day and press the button:",
                                link,
                                "If it is not your account, ignore this mail: an address that nobody confirms is free"
                                        + " for others after a day."));
    }

    private Words passwordChanged(boolean chinese, String username, String link) {
        return chinese
                ? new Words(
                        "你在 " + site + " 的密码已更改",
                        List.of(
                                "@" + username + "，你好：",
                                "你在 " + site + " 的帐户已通过邮件中的链接设置了新密码，所有会话和应用都已退出登录。",
                                "如果不是你本人所为，说明有人能读取你的邮件：请先保护好邮箱，再在这里重设密码：",
                                link))
                : new Words(
                        "Your password on " + site + " was changed",
                        List.of(
                                "Hello @" + username + ",",
                                "the password of your account on " + site
                                        + " was changed by the link of a mail. All sessions and apps were logged out.",
                                "If it was not you, somebody else can read your mails: protect your mailbox first,"
                                        + " then reset the password here:",
                                link));
    }

    private Mail mail(Words words, MailLanguage language, String id, String address) {
        String text = String.join("\r\n\r\n", words.lines()) + "\r\n";
        String html = words.lines().stream().map(this::paragraph).collect(Collectors.joining("\r\n"));
        return new Mail(
                id,
                address,
                words.subject(),
                text,
                "<!doctype html><html lang=\"" + language.wire() + "\"><body>\r\n" + html + "\r\n</body></html>\r\n",
                language.wire());
    }

    private String paragraph(String line) {
        String escaped = Html.escaped(line);
        return line.startsWith(publicUrl)
                ? "<p><a href=\"" + escaped + "\">" + escaped + "</a></p>"
                : "<p>" + escaped + "</p>";
    }
}
