package io.fanfare.app.listen;

import io.fanfare.client.stream.StreamEvent;
import io.vertx.core.json.JsonObject;

/** One line for one event: for people, or for programs. Nothing in it can steer a terminal. */
final class EventText {
    private EventText() {}

    /** The event as one object of JSON: {@code {"event":"status","id":"5f3a9c01-42","data":{...}}}. */
    static String json(StreamEvent event) {
        return "{\"event\":\"" + event.name() + "\",\"id\":\"" + event.id() + "\",\"data\":" + event.json() + "}";
    }

    /** For people. */
    static String line(StreamEvent event) {
        String name = event.name();
        JsonObject body = new JsonObject(event.json());
        return printable(
                switch (name) {
                    case "status" -> status(body);
                    case "status.update" -> "edited: " + status(body);
                    case "delete" -> "deleted: " + body.getString("id");
                    case "follow", "unfollow" ->
                        name + ": " + body.getString("account_id") + " " + body.getString("target_account_id");
                    case "notification" ->
                        "notification: " + body.getString("type") + " by " + author(body.getJsonObject("account"));
                    default -> name + ": " + event.json();
                });
    }

    private static String status(JsonObject status) {
        JsonObject original = status.getJsonObject("reblog");
        String reposted = original == null ? "" : " reposts " + author(original.getJsonObject("account"));
        String content = (original == null ? status : original).getString("content", "");
        return status.getString("created_at", "") + "  " + author(status.getJsonObject("account")) + reposted + ": "
                + text(content);
    }

    private static String author(JsonObject account) {
        return account == null ? "@?" : "@" + account.getString("acct", "?");
    }

    /** The words of our own HTML. */
    private static String text(String html) {
        return html.replaceAll("(?i)<br[^>]*>|</p>", " ")
                .replaceAll("<[^>]*>", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&")
                .strip();
    }

    private static String printable(String line) {
        return line.replaceAll("\\p{Cntrl}|[\\x{80}-\\x{9f}]", " ");
    }
}
