package io.fanfare.worker.mail;

import io.fanfare.common.auth.Device;
import io.fanfare.common.model.Warning;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.model.Warning.Appeal.State;
import io.fanfare.common.text.Html;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.MailLanguage;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.mail.SignInPlaces;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The texts of mails, in each language as plain text and as HTML. Immutable. */
final class MailTexts {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Characters of the name of an app that a mail does not show: a stranger has chosen it, and could write a link. */
    private static final Pattern NOT_NAMES = Pattern.compile("[^\\p{L}\\p{N} ]+");

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
                    case NEW_ADDRESS ->
                        newAddress(chinese, to.username(), publicUrl + "/auth/confirmation?token=" + token);
                    case ADDRESS_CHANGED ->
                        addressChanged(chinese, to.username(), publicUrl + "/auth/address?token=" + token);
                    case SIGN_IN, WARNING, SELECTION_WARNING, APPEAL ->
                        throw new IllegalArgumentException(kind + " has a text of its own");
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

    private Words newAddress(boolean chinese, String username, String link) {
        return chinese
                ? new Words(
                        "确认你在 " + site + " 的新电子邮件地址",
                        List.of(
                                "@" + username + "，你好：",
                                "你在 " + site + " 的帐户想改用此地址。请打开下面的链接并确认；链接一天内有效，只能使用一次：",
                                link,
                                "如果不是你本人的请求，请忽略这封邮件：帐户的地址不会改变。"))
                : new Words(
                        "Confirm your new e-mail address on " + site,
                        List.of(
                                "Hello @" + username + ",",
                                "a change of the address of your account on " + site
                                        + " to this one was requested. To confirm it, open this link within a day and"
                                        + " press the button. The link works once:",
                                link,
                                "If it was not you, ignore this mail: the account keeps its address."));
    }

    private Words addressChanged(boolean chinese, String username, String link) {
        return chinese
                ? new Words(
                        "你在 " + site + " 的电子邮件地址已更改",
                        List.of(
                                "@" + username + "，你好：",
                                "你在 " + site + " 的帐户已改用另一个地址，今后的邮件将发送到新地址。如果是你本人所为，无需任何操作。",
                                "如果不是你本人所为，请在七天内打开下面的链接：它会恢复此地址，让所有会话和应用退出登录，并使当前密码失效。",
                                link))
                : new Words(
                        "Your e-mail address on " + site + " was changed",
                        List.of(
                                "Hello @" + username + ",",
                                "your account on " + site
                                        + " has another address now, which gets its mails. If it was you, there is nothing"
                                        + " to do.",
                                "If it was not you, open this link within seven days. It restores this address, logs"
                                        + " out all sessions and apps, and ends the password:",
                                link));
    }

    /** A warning of a moderator, with the message of the moderator. */
    Mail warning(MailLanguage language, String id, Mails.Recipient to, Warning warning) {
        boolean chinese = language == MailLanguage.ZH;
        List<String> lines = new ArrayList<>();
        lines.add(chinese ? "@" + to.username() + "，你好：" : "Hello @" + to.username() + ",");
        lines.add(chinese ? actedInChinese(warning.action()) : acted(warning.action()));
        if (!warning.text().isEmpty()) {
            lines.add((chinese ? "管理员的留言：" : "The moderator wrote: ") + warning.text());
        }
        if (warning.action() != Action.SUSPEND) {
            lines.add(chinese ? "你可以在通知中查看详情并提出申诉：" : "Read more in your notifications, where you can appeal:");
            lines.add(publicUrl + "/notifications");
        }
        String subject = chinese ? site + " 的管理员处理了你的帐户或内容" : "A moderator of " + site + " has acted on your account";
        return mail(new Words(subject, lines), language, id, to.address());
    }

    /**
     * A log-in from a new place.
     *
     * @param at epoch ms
     */
    Mail signIn(MailLanguage language, String id, Mails.Recipient to, long at, SignInPlaces.Place place) {
        boolean chinese = language == MailLanguage.ZH;
        Device device = place.device();
        String browser = Stream.of(device.browser(), device.system())
                .filter(name -> !name.isEmpty())
                .collect(Collectors.joining(", "));
        List<String> lines = new ArrayList<>();
        lines.add(chinese ? "@" + to.username() + "，你好：" : "Hello @" + to.username() + ",");
        lines.add(
                chinese
                        ? "有人从新的位置登录了你在 " + site + " 的帐户："
                        : "somebody has logged in to your account on " + site + " from a new place:");
        lines.add((chinese ? "时间：" : "Time: ") + TIME.format(Instant.ofEpochMilli(at)));
        Stream.of(
                        line(chinese ? "浏览器：" : "Browser: ", browser),
                        line(
                                chinese ? "应用：" : "App: ",
                                NOT_NAMES.matcher(place.app()).replaceAll(" ").strip()),
                        line(chinese ? "网络：" : "Network: ", device.network()))
                .filter(line -> !line.isEmpty())
                .forEach(lines::add);
        lines.add(
                chinese
                        ? "如果是你本人，无需任何操作。如果不是，请立即修改密码，并在设置中结束其他会话："
                        : "If it was you, there is nothing to do. If it was not, change your password at once, and end all"
                                + " other sessions in the settings:");
        lines.add(publicUrl + "/settings");
        lines.add(chinese ? "如果无法登录，请重设密码：" : "If you cannot log in, reset the password:");
        lines.add(publicUrl + "/auth/password/new");
        String subject = chinese ? "你在 " + site + " 的帐户有新的登录" : "New log-in to your account on " + site;
        return mail(new Words(subject, lines), language, id, to.address());
    }

    private static String line(String label, String text) {
        return text.isEmpty() ? "" : label + text;
    }

    /** The decision about the appeal against a warning; empty if it is not decided. */
    Optional<Mail> decision(MailLanguage language, String id, Mails.Recipient to, Warning warning) {
        if (warning.appeal() == null || warning.appeal().state() == State.PENDING) {
            return Optional.empty();
        }
        boolean chinese = language == MailLanguage.ZH;
        boolean approved = warning.appeal().state() == State.APPROVED;
        boolean undone = approved && warning.action() != Action.NONE && warning.action() != Action.DELETE_STATUSES;
        List<String> lines = new ArrayList<>();
        lines.add(chinese ? "@" + to.username() + "，你好：" : "Hello @" + to.username() + ",");
        lines.add(chinese ? "你曾对以下处理提出申诉：" : "you have appealed this warning:");
        lines.add(chinese ? actedInChinese(warning.action()) : acted(warning.action()));
        if (approved) {
            lines.add(chinese ? "申诉已通过，警告已撤销。" : "Your appeal was approved: the warning is overturned.");
        } else {
            lines.add(chinese ? "申诉未通过，处理维持不变。" : "Your appeal was rejected: the warning stands.");
        }
        if (undone) {
            lines.add(chinese ? "上述处理已解除。" : "What the warning describes is undone.");
        }
        lines.add(publicUrl);
        String subject = chinese
                ? approved ? "你在 " + site + " 的申诉已通过" : "你在 " + site + " 的申诉未通过"
                : approved ? "Your appeal on " + site + " was approved" : "Your appeal on " + site + " was rejected";
        return Optional.of(mail(new Words(subject, lines), language, id, to.address()));
    }

    private static String acted(Action action) {
        return switch (action) {
            case NONE -> "a moderator has sent you a warning.";
            case MARK_STATUSES_AS_SENSITIVE -> "a moderator has marked posts of yours as sensitive.";
            case DELETE_STATUSES -> "a moderator has deleted posts of yours.";
            case SENSITIVE -> "a moderator has marked your account as sensitive: so are its new posts.";
            case SILENCE -> "a moderator has limited your account: those who follow you or look for it see it.";
            case SUSPEND -> "a moderator has suspended your account: nobody sees it, and you cannot log in.";
        };
    }

    private static String actedInChinese(Action action) {
        return switch (action) {
            case NONE -> "管理员向你发出了警告。";
            case MARK_STATUSES_AS_SENSITIVE -> "管理员将你的部分内容标记为敏感内容。";
            case DELETE_STATUSES -> "管理员删除了你的部分内容。";
            case SENSITIVE -> "管理员将你的帐户标记为敏感：你之后发布的内容都会标记为敏感内容。";
            case SILENCE -> "管理员限制了你的帐户：只有关注你或搜索到你的人才能看到它。";
            case SUSPEND -> "管理员封停了你的帐户：没有人能看到它，你也无法登录。";
        };
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
