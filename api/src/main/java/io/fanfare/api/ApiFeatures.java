package io.fanfare.api;

import io.fanfare.api.account.AccountFeature;
import io.fanfare.api.article.ArticleFeature;
import io.fanfare.api.challenge.ChallengeFeature;
import io.fanfare.api.conversation.ConversationFeature;
import io.fanfare.api.export.ExportFeature;
import io.fanfare.api.factor.FactorFeature;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.ProcessFeature;
import io.fanfare.api.feature.ProcessParts;
import io.fanfare.api.feature.ProfilePictures;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.feature.SignUpCheck;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.api.filter.FilterFeature;
import io.fanfare.api.graph.GraphFeature;
import io.fanfare.api.held.HeldFeature;
import io.fanfare.api.instance.InstanceFeature;
import io.fanfare.api.list.ListFeature;
import io.fanfare.api.mail.MailFeature;
import io.fanfare.api.media.MediaFeature;
import io.fanfare.api.moderation.ModerationFeature;
import io.fanfare.api.notification.NotificationFeature;
import io.fanfare.api.oauth.Logins;
import io.fanfare.api.oauth.OauthFeature;
import io.fanfare.api.oauth.Passwords;
import io.fanfare.api.poll.PollFeature;
import io.fanfare.api.post.PostFeature;
import io.fanfare.api.push.PushFeature;
import io.fanfare.api.report.ReportFeature;
import io.fanfare.api.schedule.ScheduleFeature;
import io.fanfare.api.search.SearchFeature;
import io.fanfare.api.site.SiteFeature;
import io.fanfare.api.siteblock.SiteBlockFeature;
import io.fanfare.api.tag.TagFeature;
import io.fanfare.api.timeline.TimelineFeature;
import io.fanfare.api.web.WebFeature;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The one list of the features of the API. A feature that others need is an argument of their constructors. The others
 * stand in a line of their own: a build without one has neither its line nor its folder ({@code LeftOutFeaturesTest}).
 */
public final class ApiFeatures {
    private ApiFeatures() {}

    /** Features with parts that all event loops of a process share; may be left out of a build. */
    public static List<ProcessFeature> ofProcess(ProcessParts process) {
        List<ProcessFeature> features = new ArrayList<>();
        features.add(new SearchFeature(process));
        return List.copyOf(features);
    }

    /** All of one event loop. */
    static List<ApiFeature> of(ApiLoop loop, List<ProcessFeature> ofProcess, Passwords passwords) {
        List<ApiFeature> features = new ArrayList<>();
        Logins logins = OauthFeature.logins(loop, passwords);
        // These may be left out of a build.
        features.add(new SiteFeature(loop));
        SiteFacts site = features.stream()
                .flatMap(feature -> feature.siteFacts().stream())
                .findFirst()
                .orElse(SiteFacts.NONE);
        ofProcess.forEach(feature -> features.add(feature.on(loop)));
        features.add(new ArticleFeature(loop));
        features.add(new ChallengeFeature(loop));
        features.add(new ExportFeature(loop));
        features.add(new FactorFeature(loop, logins));
        SecondFactors factors = features.stream()
                .flatMap(feature -> feature.secondFactors().stream())
                .findFirst()
                .orElse(SecondFactors.NONE);
        features.add(new HeldFeature(loop, factors));
        features.add(new MediaFeature(loop));
        features.add(new ModerationFeature(loop, factors, site));
        features.add(new PushFeature(loop));
        features.add(new SiteBlockFeature(loop, factors));

        Supplier<String> vapidKey = features.stream()
                .flatMap(feature -> feature.vapidKey().stream())
                .findFirst()
                .orElse(() -> "");
        ProfilePictures pictures = features.stream()
                .flatMap(feature -> feature.profilePictures().stream())
                .findFirst()
                .orElse(ProfilePictures.NONE);
        SignUpCheck signUpCheck = SignUpCheck.all(features.stream()
                .flatMap(feature -> feature.signUpChecks().stream())
                .toList());
        OauthFeature oauth = new OauthFeature(loop, logins, factors, vapidKey, signUpCheck);
        features.add(new MailFeature(loop, oauth));
        features.addAll(List.of(
                oauth,
                new AccountFeature(loop, oauth, factors, pictures),
                new ConversationFeature(loop),
                new FilterFeature(loop),
                new GraphFeature(loop),
                new InstanceFeature(loop, oauth, site, vapidKey),
                new ListFeature(loop),
                new NotificationFeature(loop),
                new PollFeature(loop),
                new PostFeature(loop),
                new ReportFeature(loop, site),
                new ScheduleFeature(loop),
                new TagFeature(loop),
                new TimelineFeature(loop),
                new WebFeature(loop)));
        return List.copyOf(features);
    }
}
