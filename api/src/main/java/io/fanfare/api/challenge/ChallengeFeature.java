package io.fanfare.api.challenge;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.challenge.Challenges.Issued;
import io.fanfare.api.challenge.Challenges.Verdict;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.SignUpCheck;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.common.view.Timestamps;
import io.vertx.core.Future;
import java.util.List;

/** Demands a proof of work of each sign-up, where {@code auth.sign-up-challenge} says how much. */
public final class ChallengeFeature implements ApiFeature {
    private static final String PATH = "/api/v1/accounts/challenge";

    private final Challenges challenges;
    private final String publicUrl;

    public ChallengeFeature(ApiLoop loop) {
        this.challenges = new Challenges(
                loop.redis(),
                loop.keys(),
                loop.settings().auth().signUpChallenge(),
                loop.clock(),
                loop.random(),
                Challenges.USED_MAX);
        this.publicUrl = loop.publicUrl();
    }

    @Override
    public List<Endpoint> endpoints() {
        return List.of(get(PATH, Access.OPEN, this::show).despite(Switch.MEMBERS_ONLY));
    }

    @Override
    public List<SignUpCheck> signUpChecks() {
        return challenges.bits() == 0 ? List.of() : List.of(this::check);
    }

    /** Nothing is stored: a challenge that nobody solves costs a signature. */
    private Future<Answer> show(Call call) {
        Issued issued = challenges.bits() == 0 ? null : challenges.issue();
        return Future.succeededFuture(Answer.json(json -> {
                    json.writeStartObject();
                    json.writeStringField("challenge", issued == null ? null : issued.text());
                    json.writeStringField("algorithm", "sha-256");
                    json.writeNumberField("bits", challenges.bits());
                    json.writeStringField("expires_at", issued == null ? null : Timestamps.time(issued.endMillis()));
                    json.writeEndObject();
                })
                .header("Cache-Control", "no-store"));
    }

    private Future<Boolean> check(Call call, String username, String email) {
        String challenge = call.parameters().text("challenge", "");
        if (challenge.isEmpty()) {
            throw fault(
                    "ERR_BLANK",
                    "is missing: this server wants a proof of work, see GET " + PATH
                            + ". If your app has none, sign up at " + publicUrl + "/signup and log in to the app then");
        }
        return challenges.use(challenge, call.parameters().text("nonce", "")).map(verdict -> {
            if (verdict != Verdict.GOOD) {
                throw refusal(verdict);
            }
            return false;
        });
    }

    private static Refusal refusal(Verdict verdict) {
        return switch (verdict) {
            case UNSOLVED -> fault("ERR_INVALID", "is not solved by this nonce: search on");
            case ENDED -> fault("ERR_INVALID", "has ended: get and solve a new one");
            case USED -> fault("ERR_TAKEN", "has been used: get and solve a new one for each try");
            case FULL ->
                Refusal.overloaded("This server gets too many sign-ups at the moment: try again in ten minutes.", 600);
            case GOOD, FOREIGN -> fault("ERR_INVALID", "is not one of this server: get and solve a new one");
        };
    }

    private static Refusal fault(String error, String description) {
        ValidationErrors errors = new ValidationErrors();
        errors.add("challenge", error, description);
        return errors.refusal();
    }
}
