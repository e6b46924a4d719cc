package io.fanfare.api.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.icu.text.SpoofChecker;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.SettingsLoader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReservedNamesTest {
    private static final ReservedNames NAMES = names("");

    private static ReservedNames names(String setting) {
        return new ReservedNames(SettingsLoader.defaultsWith("auth.reserved-usernames=" + setting)
                .auth());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "admin",
                "administrator",
                "root",
                "moderator",
                "support",
                "help",
                "security",
                "abuse",
                "official",
                "system",
                "fanfare",
                "null",
                "undefined",
                "me",
                "api",
                "postmaster",
                "hostmaster",
                "webmaster",
                "info",
                "marketing",
                "sales",
                "noc",
                "usenet",
                "news",
                "uucp",
                "ftp",
                "mailer_daemon"
            })
    void namesThatSpeakForTheServerAreReserved(String name) {
        assertThat(NAMES.contains(name)).isTrue();
        assertThatThrownBy(() -> NAMES.check(name))
                .isInstanceOf(Refusal.class)
                .hasMessage("Validation failed: username is reserved, or looks like a name that is.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4dmin",
                "adm1n",
                "admln",
                "ad_min",
                "_admin_",
                "a_d_m_i_n",
                "adrnin",
                "aclmin",
                "4_d_r_n_1_n",
                "r00t",
                "supp0rt",
                "5upport",
                "5ecur1ty",
                "postrnaster",
                "p0st_master",
                "official",
                "offlclal",
                "0fficia1",
                "fanf4re",
                "nu11",
                "mailerdaemon",
                "vvebmaster",
                "he1p",
                "7eam",
                "6etails_not"
            })
    void andSoIsWhatLooksLikeThem(String name) {
        assertThat(NAMES.contains(name)).isEqualTo(!name.endsWith("_not"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann",
                "bob",
                "owner",
                "adam",
                "ada",
                "clara",
                "mina",
                "helper",
                "supporter",
                "melinda",
                "newsie",
                "rooty"
            })
    void ordinaryNamesAreFree(String name) {
        assertThat(NAMES.contains(name)).isFalse();
    }

    /** Cyrillic, Greek, full-width, mathematical, with marks, with signs that nobody sees, of other directions. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0430dmin", "adm\u0456n", "r\u043e\u043et", "\u03b1dmin", "r\u03bf\u03bft", "\uff41dmin",
                        "\ud835\udc1admin",
                "\u00e0dmin", "ad\u200bmin", "admin\u200d", "\u202enimda", "ad\u0301min", "\u13f4dmin", "adm\u0131n"
            })
    void otherScriptsAreNoUsernamesAtAll(String name) {
        assertThat(Account.isUsername(name)).isFalse();
    }

    @Test
    void confusableLettersOfNamesHaveOneSkeletonAsInUnicode() {
        SpoofChecker unicode =
                new SpoofChecker.Builder().setChecks(SpoofChecker.CONFUSABLE).build();
        for (Map.Entry<String, String> pair :
                Map.of("0", "o", "1", "l", "m", "rn").entrySet()) {
            assertThat(unicode.getSkeleton(pair.getKey()))
                    .as(pair.toString())
                    .isEqualToIgnoringCase(unicode.getSkeleton(pair.getValue()));
        }
        String signs = "abcdefghijklmnopqrstuvwxyz0123456789";
        for (int i = 0; i < signs.length(); i++) {
            for (int j = 0; j < signs.length(); j++) {
                String a = signs.substring(i, i + 1);
                String b = signs.substring(j, j + 1);
                if (unicode.getSkeleton(a).equalsIgnoreCase(unicode.getSkeleton(b))) {
                    assertThat(ReservedNames.skeleton(a)).as(a + b).isEqualTo(ReservedNames.skeleton(b));
                }
            }
        }
    }

    @Test
    void theOperatorAddsNamesAndReleasesThem() {
        ReservedNames names = names("acme, -admin");

        assertThat(List.of("acme", "4cme", "ac_me", "support")).allMatch(names::contains);
        assertThat(List.of("admin", "adm1n")).noneMatch(names::contains);
    }
}
