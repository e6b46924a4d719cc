package io.fanfare.api.report;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.id.Id;
import io.fanfare.core.site.Site;
import io.fanfare.server.http.Parameters;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A report to the operator. {@code forward} is taken and does nothing: there are no other servers.
 *
 * @param account 0 = not given
 * @param statuses ids that cannot be one are -1
 */
public record NewReport(long account, List<Long> statuses, String comment, ReportCategory category) {
    /** As in Mastodon. */
    private static final int COMMENT_MAX = 1000;

    private static final int STATUSES_MAX = 100;

    /** Refuses a comment that is too long, too many statuses, and what {@link ReportCategory#of} refuses. */
    public static NewReport of(Parameters given, Site site) {
        String comment = given.text("comment", "").strip();
        ValidationErrors errors = new ValidationErrors();
        if (comment.codePointCount(0, comment.length()) > COMMENT_MAX) {
            errors.add("comment", "ERR_TOO_LONG", "is too long (at most " + COMMENT_MAX + " characters)");
        } else {
            errors.addUnlessStreamSafe("comment", comment);
        }
        Set<Long> statuses = new LinkedHashSet<>();
        given.all("status_ids").forEach(text -> statuses.add(Id.parse(text)));
        if (statuses.size() > STATUSES_MAX) {
            errors.add("status_ids", "ERR_TOO_MANY", "are too many (at most " + STATUSES_MAX + ")");
        }
        errors.refuseIfAny();
        return new NewReport(given.id("account_id"), List.copyOf(statuses), comment, ReportCategory.of(given, site));
    }
}
