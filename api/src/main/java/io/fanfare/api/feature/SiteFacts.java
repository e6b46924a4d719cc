package io.fanfare.api.feature;

import io.fanfare.common.model.Account;
import io.fanfare.core.site.Site;
import java.util.Optional;

/** The published rules, texts and contact of the site, as one event loop knows them. Answers at once. */
public interface SiteFacts {
    /** For a build that publishes nothing. */
    SiteFacts NONE = new SiteFacts() {
        @Override
        public Site site() {
            return Site.EMPTY;
        }

        @Override
        public Optional<Account> contact() {
            return Optional.empty();
        }

        @Override
        public int announcements() {
            return 0;
        }
    };

    /** The rules and texts. */
    Site site();

    /** The account of the person to write to. */
    Optional<Account> contact();

    /** Announcements that are shown now. */
    int announcements();
}
