package io.fanfare.api.export;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.text.Html;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An account and its statuses in the words of ActivityStreams, as in the archives of Mastodon. Immutable. */
final class Activities {
    static final String CONTEXT = "https://www.w3.org/ns/activitystreams";

    /** The folder of the pictures in the archive. */
    static final String MEDIA = "media_attachments/";

    private static final String PUBLIC = CONTEXT + "#Public";

    private final Views views;
    private final Account actor;

    Activities(Views views, Account actor) {
        this.views = views;
        this.actor = actor;
    }

    private String uri(String username) {
        return views.urls().base() + "/users/" + username;
    }

    /** The name in the archive of a picture of the profile. */
    static String picture(String use, String name) {
        return use + name.substring(name.lastIndexOf('.'));
    }

    void actor(JsonGenerator json) throws IOException {
        ProfileSettings settings = actor.profileSettings();
        json.writeStartObject();
        json.writeStringField("@context", CONTEXT);
        json.writeStringField("id", uri(actor.username()));
        json.writeStringField("type", settings.bot() ? "Service" : "Person");
        json.writeStringField("preferredUsername", actor.username());
        json.writeStringField("name", actor.displayName());
        json.writeStringField("summary", Html.ofNote(actor.note(), views.urls().base()));
        json.writeStringField("url", views.urls().base() + "/@" + actor.username());
        json.writeStringField("published", Timestamps.time(Id.epochMillis(actor.id())));
        json.writeBooleanField("manuallyApprovesFollowers", settings.locked());
        json.writeBooleanField("discoverable", settings.discoverable());
        json.writeBooleanField("indexable", settings.indexable());
        json.writeArrayFieldStart("attachment");
        for (ProfileSettings.Field field : settings.fields()) {
            json.writeStartObject();
            json.writeStringField("type", "PropertyValue");
            json.writeStringField("name", field.name());
            json.writeStringField("value", Html.escaped(field.value()));
            json.writeEndObject();
        }
        json.writeEndArray();
        image(json, "icon", "avatar", settings.avatar());
        image(json, "image", "header", settings.header());
        json.writeStringField("outbox", "outbox.json");
        json.writeStringField("likes", "likes.json");
        json.writeStringField("bookmarks", "bookmarks.json");
        json.writeEndObject();
    }

    private static void image(JsonGenerator json, String field, String use, String name) throws IOException {
        if (!name.isEmpty()) {
            json.writeObjectFieldStart(field);
            json.writeStringField("type", "Image");
            json.writeStringField("mediaType", MediaName.type(name));
            json.writeStringField("url", picture(use, name));
            json.writeEndObject();
        }
    }

    /** @param named the accounts that its references name, as far as they are there */
    void activity(JsonGenerator json, Status status, Map<Long, Account> named) throws IOException {
        String uri = views.urls().statusUri(status.id(), actor);
        boolean repost = status.kind() == Post.Kind.REPOST;
        json.writeStartObject();
        json.writeStringField("id", uri + "/activity");
        json.writeStringField("type", repost ? "Announce" : "Create");
        json.writeStringField("actor", uri(actor.username()));
        json.writeStringField("published", Timestamps.time(Id.epochMillis(status.id())));
        audience(json, status);
        if (repost) {
            json.writeStringField("object", uri(status.post().original(), named));
        } else {
            json.writeFieldName("object");
            note(json, status, uri, named);
        }
        json.writeEndObject();
    }

    private void note(JsonGenerator json, Status status, String uri, Map<Long, Account> named) throws IOException {
        Content content = status.post().content();
        Poll poll = content.poll();
        json.writeStartObject();
        json.writeStringField("id", uri);
        json.writeStringField("type", poll == null ? "Note" : "Question");
        json.writeStringField("summary", content.spoilerText().isEmpty() ? null : content.spoilerText());
        json.writeStringField("inReplyTo", uri(status.post().replyTo(), named));
        json.writeStringField("published", Timestamps.time(Id.epochMillis(status.id())));
        if (status.post().edit() != 0) {
            json.writeStringField(
                    "updated", Timestamps.time(Id.epochMillis(status.post().edit())));
        }
        json.writeStringField("url", views.urls().base() + "/@" + actor.username() + "/" + status.id());
        json.writeStringField("attributedTo", uri(actor.username()));
        audience(json, status);
        json.writeBooleanField("sensitive", content.sensitive());
        json.writeStringField("content", Html.of(content, views.urls().base()));
        if (content.language() != null) {
            json.writeStringField("language", content.language());
        }
        if (status.post().isQuote()) {
            json.writeStringField("quote", uri(status.post().original(), named));
        }
        attachments(json, content.attachments());
        tags(json, content);
        if (poll != null) {
            json.writeArrayFieldStart(poll.multiple() ? "anyOf" : "oneOf");
            for (String option : poll.options()) {
                json.writeStartObject();
                json.writeStringField("type", "Note");
                json.writeStringField("name", option);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringField("endTime", Timestamps.time(poll.endsMillis()));
        }
        json.writeEndObject();
    }

    private static void attachments(JsonGenerator json, List<Attachment> pictures) throws IOException {
        json.writeArrayFieldStart("attachment");
        for (Attachment picture : pictures) {
            json.writeStartObject();
            json.writeStringField("type", "Document");
            json.writeStringField("mediaType", MediaName.type(picture.name()));
            json.writeStringField("url", "/" + MEDIA + picture.name());
            json.writeStringField("name", picture.description().isEmpty() ? null : picture.description());
            if (!picture.blurhash().isEmpty()) {
                json.writeStringField("blurhash", picture.blurhash());
            }
            json.writeArrayFieldStart("focalPoint");
            json.writeNumber(picture.focus().x());
            json.writeNumber(picture.focus().y());
            json.writeEndArray();
            // A sound has no size.
            if (picture.width() > 0) {
                json.writeNumberField("width", picture.width());
                json.writeNumberField("height", picture.height());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void tags(JsonGenerator json, Content content) throws IOException {
        json.writeArrayFieldStart("tag");
        for (Content.Mention mention : content.mentions()) {
            json.writeStartObject();
            json.writeStringField("type", "Mention");
            json.writeStringField("href", uri(mention.username()));
            json.writeStringField("name", "@" + mention.username());
            json.writeEndObject();
        }
        for (String tag : content.tags()) {
            json.writeStartObject();
            json.writeStringField("type", "Hashtag");
            json.writeStringField("href", Html.tagUrl(views.urls().base(), tag));
            json.writeStringField("name", "#" + tag);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void audience(JsonGenerator json, Status status) throws IOException {
        String followers = uri(actor.username()) + "/followers";
        List<String> to = new ArrayList<>();
        List<String> cc = new ArrayList<>();
        List<String> named = status.post().content().mentions().stream()
                .map(mention -> uri(mention.username()))
                .toList();
        switch (status.visibility()) {
            case PUBLIC -> {
                to.add(PUBLIC);
                cc.add(followers);
                cc.addAll(named);
            }
            case UNLISTED -> {
                to.add(followers);
                cc.add(PUBLIC);
                cc.addAll(named);
            }
            case PRIVATE -> {
                to.add(followers);
                cc.addAll(named);
            }
            case DIRECT -> to.addAll(named);
        }
        array(json, "to", to);
        array(json, "cc", cc);
    }

    private static void array(JsonGenerator json, String field, List<String> values) throws IOException {
        json.writeArrayFieldStart(field);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /** Null when there is none, or its author's name is not known any more. */
    private String uri(Reference reference, Map<Long, Account> named) {
        Account author = reference == null ? null : named.get(reference.accountId());
        return author == null ? null : views.urls().statusUri(reference.statusId(), author);
    }
}
