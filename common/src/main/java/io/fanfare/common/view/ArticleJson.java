package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Status;
import java.io.IOException;

/** The field {@code article} of a status, which Mastodon does not have. */
final class ArticleJson {
    private ArticleJson() {}

    /** Written for articles only. */
    static void field(JsonGenerator json, Status status, RenderContext context) throws IOException {
        if (!status.isArticle()) {
            return;
        }
        Article article = status.post().content().article();
        Article.Standing standing = context.standing(status);
        json.writeObjectFieldStart("article");
        json.writeStringField("title", article.title());
        json.writeStringField("link", article.link());
        json.writeNumberField("votes", standing.votes());
        json.writeNumberField("score", Article.score(status.id(), standing.votes()));
        json.writeFieldName("voted");
        json.writeObject(standing.voted().orElse(null));
        json.writeStringField("voting_ends_at", Timestamps.time(Article.votingEnds(status.id())));
        json.writeArrayFieldStart("groups");
        for (String group : standing.groups()) {
            json.writeString(group);
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
