package io.fanfare.core.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.site.Announcement.Period;
import io.fanfare.core.site.Site.Text;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Operators publish rules, texts and announcements, and every event loop sees them. */
@ParameterizedClass
@KindsOfRedis
class SitesTest {
    private static final long NOW = 1_796_000_000_000L;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Sites sites;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        sites = new Sites(f.link);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @CanIgnoreReturnValue
    private Site change(UnaryOperator<Site> change) {
        Site unused = f.get(() -> sites.change(change));
        return f.get(sites::load);
    }

    private static Site announced(Site site, String text, Period period) {
        return site.withAnnouncement(text, 0, period, NOW);
    }

    @Test
    void allThatIsPublishedIsReadAgainAsItWasWritten() {
        assertThat(f.get(sites::load)).isEqualTo(Site.EMPTY);
        LocalDate day = LocalDate.of(2026, 12, 1);
        Site written = change(site -> announced(
                site.withRule("Be kind 💬", "To \"everybody\"")
                        .withRule(1, rule -> rule.translated("zh", Optional.of(new Rule.Wording("友善", ""))))
                        .withRule("No spam", "")
                        .withoutRule(2)
                        .with(Text.ABOUT, Document.of(NOW, "# Hello\n\nwords "))
                        .withTerms(day, Document.of(NOW, "Terms"))
                        .withContact(7),
                "Down\ntoday",
                Period.of("2026-12-01", "2026-12-02")));
        assertThat(written.version()).isEqualTo(1);
        assertThat(written.rules()).extracting(Rule::text).containsExactly("Be kind 💬");
        assertThat(written.rules().get(0).translations().get("zh").text()).isEqualTo("友善");
        assertThat(written.ruleOfReport(2).orElseThrow().text()).isEqualTo("No spam");
        assertThat(written.rule(2)).isEmpty();
        assertThat(written.texts().get(Text.ABOUT).text()).isEqualTo("# Hello\n\nwords");
        assertThat(written.terms().get(day).text()).isEqualTo("Terms");
        assertThat(written.contact()).isEqualTo(7);
        assertThat(written.announcements().get(0).text()).isEqualTo("Down\ntoday");
        assertThat(written.announcements().get(0).period()).isEqualTo(Period.of("2026-12-01", "2026-12-02"));

        Site after = change(site -> site.without(Text.ABOUT).withoutTerms(day).withoutAnnouncement(3));
        assertThat(after.texts()).isEmpty();
        assertThat(after.terms()).isEmpty();
        assertThat(after.announcements()).isEmpty();
        assertThat(f.hash(Keys.SITE)).containsOnlyKeys("-", "last", "contact", "rules", "removed");
        assertThat(change(site -> site.withRule("New", "")).rules())
                .as("ids are never used twice")
                .extracting(Rule::id)
                .containsExactly(1L, 4L);
    }

    @Test
    void changesAtTheSameTimeAreAllMade() {
        Void unused = f.get(() -> Future.all(IntStream.range(0, 4)
                        .mapToObj(i -> sites.change(site -> site.withRule("Rule " + i, "")))
                        .toList())
                .<Void>mapEmpty());
        assertThat(f.get(sites::load).rules())
                .extracting(Rule::text)
                .containsExactlyInAnyOrder("Rule 0", "Rule 1", "Rule 2", "Rule 3");
    }

    @Test
    void aChangeOfAnOldVersionIsNotWritten() {
        assertThatThrownBy(() -> f.get(() -> sites.change(site -> {
                    // Somebody else is always faster.
                    f.redis.askAt(Keys.SITE, "HINCRBY", Keys.SITE, "-", "1");
                    return site.withRule("Late", "");
                })))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("at the same time");
        assertThat(f.get(sites::load).rules()).isEmpty();
    }

    @Test
    void anEventLoopSeesAChangeAtItsNextLook() {
        KnownSite known = new KnownSite(sites);
        f.get(known::look);
        assertThat(known.get()).isEqualTo(Site.EMPTY);
        change(site -> site.withRule("Be kind", ""));
        assertThat(known.get()).isEqualTo(Site.EMPTY);
        f.get(known::look);
        Site seen = known.get();
        assertThat(seen.rules()).hasSize(1);
        f.get(known::look);
        assertThat(known.get()).as("nothing is read twice").isSameAs(seen);
    }

    @Test
    void rulesKeepTheirIdsWhenTheyMove() {
        Site site = Site.EMPTY.withRule("a", "").withRule("b", "").withRule("c", "");
        assertThat(site.withRuleAt(3, 1).rules()).extracting(Rule::id).containsExactly(3L, 1L, 2L);
        assertThat(site.withRuleAt(1, 99).rules()).extracting(Rule::id).containsExactly(2L, 3L, 1L);
        assertThat(site.withRule(2, rule -> rule.with(null, "why"))
                        .rules()
                        .get(1)
                        .hint())
                .isEqualTo("why");
        assertThatThrownBy(() -> site.withRuleAt(9, 1)).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> site.withoutRule(9)).isInstanceOf(Refusal.class);
    }

    @Test
    void everythingIsBounded() {
        assertRefused(() -> Document.of(NOW, "a".repeat(1 << 20)));
        assertRefused(() -> Document.of(NOW, "a".repeat(Document.TEXT_MAX + 1)));
        assertThat(Document.of(NOW, "💬".repeat(Document.TEXT_MAX)).text()).hasSize(2 * Document.TEXT_MAX);
        assertRefused(() -> Document.of(NOW, " \n "));
        assertRefused(() -> Site.EMPTY.withRule("a".repeat(Rule.TEXT_MAX + 1), ""));
        assertRefused(() -> Site.EMPTY.withRule("a", "a".repeat(Rule.HINT_MAX + 1)));
        assertRefused(() -> Site.EMPTY.withRule("", ""));
        assertRefused(() -> announced(Site.EMPTY, "a".repeat(Announcement.TEXT_MAX + 1), Period.NONE));
        assertRefused(() -> Site.EMPTY.withRule("e" + "\u0301".repeat(31), ""));
        assertRefused(() -> Site.EMPTY
                .withRule("a", "")
                .withRule(1, rule -> rule.translated("not a language", Optional.of(new Rule.Wording("b", "")))));
        Site rules = Site.EMPTY;
        Site announcements = Site.EMPTY;
        for (int i = 0; i < Site.RULES_MAX; i++) {
            rules = rules.withRule("Rule", "");
            announcements = announced(announcements, "News", Period.NONE);
        }
        Site full = rules;
        Site loud = announcements;
        assertRefused(() -> full.withRule("One more", ""));
        assertRefused(() -> announced(loud, "One more", Period.NONE));
        Site terms = Site.EMPTY;
        for (int i = 1; i <= Site.TERMS_MAX; i++) {
            terms = terms.withTerms(LocalDate.of(2026, 12, i), Document.of(NOW, "a"));
        }
        Site old = terms;
        assertRefused(() -> old.withTerms(LocalDate.of(2027, 1, 1), Document.of(NOW, "a")));
        Site removed = Site.EMPTY;
        for (int i = 0; i < Site.REMOVED_MAX + 5; i++) {
            removed = removed.withRule("Rule", "").withoutRule(i + 1);
        }
        assertThat(removed.removed()).hasSize(Site.REMOVED_MAX);
        assertThat(removed.removed().get(0).id()).isEqualTo(6);
    }

    private static void assertRefused(ThrowingCallable change) {
        assertThatThrownBy(change).isInstanceOf(Refusal.class);
    }

    @Test
    void anAnnouncementIsShownFromItsPublicationToTheEndOfItsEvent() {
        Site site = announced(Site.EMPTY, "Maintenance", Period.of("2026-12-01T08:00Z", "2026-12-01T18:00+08:00"));
        long end = Announcement.millis("2026-12-01T10:00Z");
        assertThat(site.shown(NOW)).hasSize(1);
        assertThat(site.shown(end - 1)).hasSize(1);
        assertThat(site.shown(end)).isEmpty();
        Site days = announced(Site.EMPTY, "Holiday", Period.of("2026-12-01", "2026-12-01"));
        assertThat(days.shown(Announcement.millis("2026-12-01T23:59:59Z"))).hasSize(1);
        assertThat(days.shown(Announcement.millis("2026-12-02T00:00Z"))).isEmpty();
        Site later = Site.EMPTY.withAnnouncement("Soon", NOW + 10, Period.NONE, NOW);
        assertThat(later.shown(NOW + 9)).isEmpty();
        assertThat(later.shown(NOW + 10)).hasSize(1);
        for (String[] wrong : new String[][] {
            {"2026-12-01", ""},
            {"", "2026-12-01"},
            {"2026-12-02", "2026-12-01"},
            {"2026-13-01", "2026-13-02"},
            {"2026-12-01T08:00", ""},
            {"tomorrow", ""},
            {"2026-12-01T09:00Z", "2026-12-01T08:00Z"},
            {"1969-12-01T09:00Z", ""}
        }) {
            assertRefused(() -> Period.of(wrong[0], wrong[1]));
        }
    }

    @Test
    void theTermsInForceAreTheNewestThatHaveBegun() {
        LocalDate first = LocalDate.of(2026, 1, 1);
        LocalDate second = LocalDate.of(2026, 6, 1);
        Document text = Document.of(NOW, "a");
        Site site = Site.EMPTY.withTerms(second, text).withTerms(first, text);
        assertThat(site.currentTerms(second.minusDays(1))).contains(first);
        assertThat(site.currentTerms(second)).contains(second);
        assertThat(site.currentTerms(first.minusDays(1))).contains(first);
        assertThat(site.termsAfter(first)).contains(second);
        assertThat(site.termsAfter(second)).isEmpty();
        assertThat(Site.EMPTY.currentTerms(first)).isEmpty();
    }

    @Test
    void anAccountKeepsItsNewestDismissals() {
        long account = f.users(1)[0];
        Dismissals dismissals = new Dismissals(f.link);
        assertThat(f.get(() -> dismissals.of(account))).isEmpty();
        for (long id : List.of(3L, 3L, 5L)) {
            f.get(() -> dismissals.add(account, id));
        }
        assertThat(f.get(() -> dismissals.of(account))).isEqualTo(Set.of(3L, 5L));
        for (long id = 10; id < 10 + Dismissals.MAX; id++) {
            long one = id;
            f.get(() -> dismissals.add(account, one));
        }
        assertThat(f.get(() -> dismissals.of(account)))
                .hasSize(Dismissals.MAX)
                .doesNotContain(3L, 5L)
                .contains(10L);
    }
}
