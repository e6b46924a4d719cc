package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.text.Html;
import java.io.IOException;
import java.util.List;

/** The entity Account. Immutable but for the cache and the emojis. */
public final class AccountJson {
    private static final SerializedString FOLLOWERS_COUNT = new SerializedString("followers_count");
    private static final SerializedString FOLLOWING_COUNT = new SerializedString("following_count");
    private static final SerializedString STATUSES_COUNT = new SerializedString("statuses_count");
    private static final SerializedString LAST_STATUS_AT = new SerializedString("last_status_at");

    private final PublicUrls urls;
    private final EmojiJson emojis;
    private final RenderCache cache;

    AccountJson(PublicUrls urls, EmojiJson emojis, RenderCache cache) {
        this.urls = urls;
        this.emojis = emojis;
        this.cache = cache;
    }

    public void write(JsonGenerator json, Account account) throws IOException {
        json.writeStartObject();
        fields(json, account);
        json.writeEndObject();
    }

    /** The fields of {@link #write} without the braces, for entities that have more of them. */
    public void fields(JsonGenerator json, Account account) throws IOException {
        Json.number(json, FOLLOWERS_COUNT, account.followersCount());
        Json.number(json, FOLLOWING_COUNT, account.followingCount());
        Json.number(json, STATUSES_COUNT, account.statusesCount());
        json.writeFieldName(LAST_STATUS_AT);
        json.writeString(account.lastStatusAt() == 0 ? null : Timestamps.date(account.lastStatusAt()));
        RenderCache.ShownAccount shown = cache.account(account.id(), account.rev(), emojis.version());
        json.writeRaw(shown == null ? rendered(account) : shown.json());
    }

    private Fragment rendered(Account account) {
        Fragment fields = Json.fields(json -> fixedFields(json, account));
        cache.put(new RenderCache.ShownAccount(account, emojis.version(), fields));
        return fields;
    }

    /** The entity PartialAccountWithAvatar: the fields that a row of avatars needs. */
    public void partial(JsonGenerator json, Account account) throws IOException {
        String ownAvatar = urls.avatar(account);
        json.writeStartObject();
        json.writeStringField("id", Long.toString(account.id()));
        json.writeStringField("acct", account.username());
        json.writeBooleanField("locked", account.profileSettings().locked());
        json.writeBooleanField("bot", account.profileSettings().bot());
        json.writeStringField("url", urls.profile(account.username()));
        json.writeStringField("avatar", ownAvatar);
        json.writeStringField("avatar_static", ownAvatar);
        json.writeEndObject();
    }

    /** The fields that change only with the account's {@code rev}. */
    private void fixedFields(JsonGenerator json, Account account) throws IOException {
        json.writeStringField("id", Long.toString(account.id()));
        json.writeStringField("username", account.username());
        json.writeStringField("acct", account.username());
        json.writeStringField("display_name", account.displayName());
        json.writeBooleanField("locked", account.profileSettings().locked());
        json.writeBooleanField("bot", account.profileSettings().bot());
        json.writeBooleanField("discoverable", account.profileSettings().discoverable());
        json.writeBooleanField("indexable", account.profileSettings().indexable());
        json.writeBooleanField("group", false);
        json.writeStringField("created_at", Timestamps.time(Id.epochMillis(account.id())));
        json.writeStringField("note", Html.ofNote(account.note(), urls.base()));
        json.writeStringField("url", urls.profile(account.username()));
        json.writeStringField("uri", urls.accountUri(account));
        String ownAvatar = urls.avatar(account);
        json.writeStringField("avatar", ownAvatar);
        json.writeStringField("avatar_static", ownAvatar);
        json.writeStringField("avatar_description", "");
        String ownHeader = urls.header(account);
        json.writeStringField("header", ownHeader);
        json.writeStringField("header_static", ownHeader);
        json.writeStringField("header_description", "");
        json.writeBooleanField("hide_collections", account.profileSettings().hidesFollows());
        json.writeBooleanField("noindex", !account.profileSettings().indexable());
        emojis.field(json, emojis.in(account));
        Json.emptyArray(json, "roles");
        if (account.profileSettings().limited()) {
            json.writeBooleanField("limited", true);
        }
        profileFields(json, account.profileSettings().fields());
    }

    private static void profileFields(JsonGenerator json, List<ProfileSettings.Field> fields) throws IOException {
        json.writeArrayFieldStart("fields");
        for (ProfileSettings.Field field : fields) {
            json.writeStartObject();
            json.writeStringField("name", field.name());
            json.writeStringField("value", line(field.value()));
            json.writeNullField("verified_at");
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The HTML of one line, without a paragraph around it. */
    private static String line(String text) {
        String html = Html.of(text);
        return html.isEmpty() ? html : html.substring("<p>".length(), html.length() - "</p>".length());
    }
}
