package io.fanfare.api.mail;

import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.HtmlPage;
import io.fanfare.common.text.Html;
import io.fanfare.core.mail.MailLanguage;

/** The HTML of {@code /auth} in one language; everything that came with a request is escaped. Immutable. */
final class MailPages {
    private final MailLanguage language;
    private final String site;
    private final String base;

    /**
     * @param site the name of this server
     * @param base the path below which the browser sees this server, without a trailing slash
     */
    MailPages(MailLanguage language, String site, String base) {
        this.language = language;
        this.site = site;
        this.base = Html.escaped(base);
    }

    private String words(String english, String chinese) {
        return language == MailLanguage.ZH ? chinese : english;
    }

    private Answer page(String body) {
        return page(words("Reset your password", "重设密码"), body);
    }

    private Answer confirmation(String body) {
        return page(words("Confirm your e-mail address", "确认电子邮件地址"), body);
    }

    private Answer page(String title, String body) {
        return HtmlPage.of(language.wire(), title + " - " + site, "<h1>" + title + "</h1>" + body)
                .header("Vary", "Accept-Language")
                .header("Cache-Control", "no-store");
    }

    private static String alert(String sentence) {
        return sentence.isEmpty() ? "" : "<p role=\"alert\">" + Html.escaped(sentence) + "</p>";
    }

    /** A server that sends no mails. */
    Answer off() {
        return page(alert(words(
                        "This server sends no mails: ask its operator for a new password.", "本服务器不发送邮件：请向管理员申请新密码。")))
                .status(404);
    }

    /** @param refused what was typed and is no address; empty = nothing was typed yet */
    Answer request(String refused) {
        String complaint = refused.isEmpty() ? "" : words("This is no e-mail address.", "这不是有效的电子邮件地址。");
        return page("<p>"
                + words(
                        "Type the e-mail address of your account. A link to choose a new password goes there.",
                        "请输入你帐户的电子邮件地址，我们会向该地址发送设置新密码的链接。")
                + "</p>" + alert(complaint) + "<form method=\"post\" action=\"" + base + "/auth/password\"><label>"
                + words("E-mail address", "电子邮件地址")
                + "<input name=\"email\" type=\"email\" autocomplete=\"email\" maxlength=\"254\" required value=\""
                + Html.escaped(refused) + "\"></label><button>" + words("Send the link", "发送链接") + "</button></form>");
    }

    /** The answer to every request, whether or not an account has the address. */
    Answer requested() {
        return page("<p>"
                + words(
                        "If an account has this address, a mail is on its way to it. Its link is good for an hour."
                                + " Look among junk mail, too.",
                        "如果有帐户使用该地址，邮件很快就会送达。链接一小时内有效。请同时查看垃圾邮件。")
                + "</p>");
    }

    /** Shows that a link to reset a password is used, expired or unknown. */
    Answer ended() {
        return page(alert(words(
                                "This link is not good any more: it works once, within an hour.",
                                "此链接已失效：它一小时内有效，且只能使用一次。"))
                        + "<p><a href=\"" + base + "/auth/password/new\">" + words("Request another one", "重新申请")
                        + "</a></p>")
                .status(404);
    }

    /** @param complaint why the form is shown again; empty = it is not */
    Answer reset(String token, String complaint) {
        return page(alert(complaint) + "<form method=\"post\" action=\"" + base
                + "/auth/password/edit\"><input type=\"hidden\" name=\"token\" value=\"" + Html.escaped(token)
                + "\"><label>" + words("New password", "新密码")
                + "<input name=\"password\" type=\"password\" autocomplete=\"new-password\" maxlength=\"128\" required>"
                + "</label><p>"
                + words("All sessions and apps of your account will be logged out.", "你帐户的所有会话和应用都将退出登录。")
                + "</p><button>" + words("Set the new password", "设置新密码") + "</button></form>");
    }

    Answer done() {
        return page("<p>" + words("You have a new password. ", "新密码已设置。") + "<a href=\"" + base + "/login\">"
                + words("Log in", "登录") + "</a></p>");
    }

    /** A button, since programs that scan mails open each link. */
    Answer confirm(String token) {
        return confirmation("<form method=\"post\" action=\"" + base
                + "/auth/confirmation\"><input type=\"hidden\" name=\"token\" value=\"" + Html.escaped(token)
                + "\"><button>" + words("This address is mine", "这是我的地址") + "</button></form>");
    }

    Answer confirmed() {
        return confirmation("<p>" + words("Your address is confirmed. ", "地址已确认。") + "<a href=\"" + base + "/\">"
                + Html.escaped(site) + "</a></p>");
    }

    /** Shows that a link to confirm an address is used, expired or unknown. */
    Answer unconfirmable() {
        return confirmation(alert(words(
                        "This link is not good any more: it works within a day, as long as the address is not confirmed.",
                        "此链接已失效：它一天内有效，地址确认后不再可用。")))
                .status(404);
    }

    /** Shows that another account has got the address of the link. */
    Answer taken() {
        return confirmation(alert(words(
                        "Another account has this address by now: your account keeps the one that it has.",
                        "此地址已被其他帐户使用：你的帐户保留原来的地址。")))
                .status(422);
    }

    private Answer restoring(String body) {
        return page(words("Restore your e-mail address", "恢复电子邮件地址"), body);
    }

    /** A button, as {@link #confirm} has. */
    Answer restore(String token) {
        return restoring("<p>"
                + words(
                        "This restores the former address of your account, logs out all sessions and apps, and ends the"
                                + " password. A mail to this address then has a link to choose another one.",
                        "你的帐户将恢复原来的地址，所有会话和应用都将退出登录，当前密码失效。随后会向此地址发送设置新密码的链接。")
                + "</p><form method=\"post\" action=\"" + base
                + "/auth/address\"><input type=\"hidden\" name=\"token\" value=\"" + Html.escaped(token)
                + "\"><button>" + words("I did not change it: restore this address", "不是我更改的：恢复此地址")
                + "</button></form>");
    }

    Answer restored() {
        return restoring("<p>"
                + words(
                        "Your account has its former address, and nobody is logged in. Unless the account is suspended, a"
                                + " mail with a link to choose a new password is on its way to it; the link is good for an"
                                + " hour.",
                        "你的帐户已恢复原来的地址，所有人都已退出登录。除非帐户已被封禁，设置新密码的链接很快就会送达，一小时内有效。")
                + "</p>");
    }

    /** Shows that a link to restore an address is used, expired or unknown. */
    Answer unrestorable() {
        return restoring(alert(words(
                        "This link is not good any more: it works once, within seven days.", "此链接已失效：它七天内有效，且只能使用一次。")))
                .status(404);
    }
}
