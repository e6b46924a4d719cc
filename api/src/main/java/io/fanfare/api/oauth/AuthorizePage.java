package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.HtmlPage;
import io.fanfare.common.text.Html;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** The HTML of {@code /oauth/authorize}: everything that was given by anybody escaped. */
final class AuthorizePage {
    private AuthorizePage() {}

    /**
     * The log-in. It says what somebody needs to tell their own app from a stranger's: the name that the app gave
     * itself, how long it has been known here, and where the code goes.
     *
     * @param path where the form goes, as the browser sees it
     * @param resetLink address of the page that resets a forgotten password; empty = the page is not offered
     * @param token against forged forms
     * @param name what was typed before
     * @param complaint why the form is shown again; empty = it is not
     */
    static Answer form(
            AuthorizeRequest request,
            Instant now,
            String path,
            String resetLink,
            String token,
            String name,
            String complaint) {
        StringBuilder html = new StringBuilder();
        html.append("<h1>Log in</h1><p><strong><bdi>")
                .append(Html.escaped(request.app().name()))
                .append("</bdi></strong> asks for access to your account: <code>")
                .append(Html.escaped(String.join(" ", request.scopes())))
                .append("</code></p><p>")
                .append(age(request.app(), now))
                .append(" The answer goes to <strong>")
                .append(Html.escaped(request.redirectUri().place()))
                .append("</strong>. Deny it unless you have just opened this app yourself.</p>");
        if (!complaint.isEmpty()) {
            html.append("<p role=\"alert\">").append(Html.escaped(complaint)).append("</p>");
        }
        begin(html, request, path, token);
        html.append("<label>User name or e-mail address<input name=\"username\" autocomplete=\"username\" value=\"")
                .append(Html.escaped(name))
                .append("\"></label><label>Password<input name=\"password\" type=\"password\"")
                .append(" autocomplete=\"current-password\"></label>")
                .append("<button name=\"decision\" value=\"approve\">Log in and approve</button>")
                .append("<button name=\"decision\" value=\"deny\">Deny</button></form>");
        if (!resetLink.isEmpty()) {
            html.append("<p><a href=\"").append(Html.escaped(resetLink)).append("\">Forgot password?</a></p>");
        }
        return page(html.toString()).header("Content-Security-Policy", policy(request.redirectUri()));
    }

    /**
     * The second step of the log-in to an account with a second factor.
     *
     * @param ticket which proves that the password was right
     * @param complaint why the form is shown again; empty = it is not
     */
    static Answer codeForm(AuthorizeRequest request, String path, String token, String ticket, String complaint) {
        StringBuilder html = new StringBuilder();
        html.append("<h1>Second factor</h1><p>Enter the code of your authenticator app, or a recovery code, to give")
                .append(" <strong><bdi>")
                .append(Html.escaped(request.app().name()))
                .append("</bdi></strong> access to your account.</p>");
        if (!complaint.isEmpty()) {
            html.append("<p role=\"alert\">").append(Html.escaped(complaint)).append("</p>");
        }
        begin(html, request, path, token);
        hidden(html, "ticket", ticket);
        html.append("<label>Code<input name=\"code\" autocomplete=\"one-time-code\" autocapitalize=\"none\"")
                .append(" spellcheck=\"false\" autofocus></label>")
                .append("<button name=\"decision\" value=\"approve\">Log in and approve</button>")
                .append("<button name=\"decision\" value=\"deny\">Deny</button></form>");
        return page(html.toString()).header("Content-Security-Policy", policy(request.redirectUri()));
    }

    /** Begins the form, with the fields of the request. */
    private static void begin(StringBuilder html, AuthorizeRequest request, String path, String token) {
        // Not a relative path: apps open the page with a slash behind it as well.
        html.append("<form method=\"post\" action=\"")
                .append(Html.escaped(path))
                .append("\">");
        hidden(html, "form_token", token);
        for (Map.Entry<String, String> field : request.fields().entrySet()) {
            hidden(html, field.getKey(), field.getValue());
        }
    }

    /** The content security policy of the form. It names the targets that the form may lead to, redirects included. */
    private static String policy(RedirectUri target) {
        return (HtmlPage.POLICY + " " + target.policySource()).strip();
    }

    private static String age(App app, Instant now) {
        if (app.registeredAt() == 0) {
            return "It was registered by an unverified developer.";
        }
        long days = Math.max(
                0,
                Duration.between(Instant.ofEpochSecond(app.registeredAt()), now).toDays());
        String when = days == 0 ? "less than a day ago" : days == 1 ? "a day ago" : days + " days ago";
        return "It was registered " + when + " by an unverified developer.";
    }

    /** For apps without an address: the user carries the code over. */
    static Answer code(String code) {
        return page("<h1>Done</h1><p>Copy this code to the app:</p><p><code>" + Html.escaped(code) + "</code></p>");
    }

    /** An error page for the user at the browser. */
    static Answer problem(String sentence) {
        return page("<h1>This cannot be authorized</h1><p role=\"alert\">" + Html.escaped(sentence) + "</p>");
    }

    /** Sends the browser on. */
    static Answer redirect(String uri) {
        return page("<p><a href=\"" + Html.escaped(uri) + "\">Back to the app</a></p>")
                .status(302)
                .header("Location", uri);
    }

    private static Answer page(String body) {
        return HtmlPage.of("Fanfare", body);
    }

    private static void hidden(StringBuilder html, String name, String value) {
        html.append("<input type=\"hidden\" name=\"")
                .append(name)
                .append("\" value=\"")
                .append(Html.escaped(value))
                .append("\">");
    }
}
