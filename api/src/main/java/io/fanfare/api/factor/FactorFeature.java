package io.fanfare.api.factor;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.oauth.Logins;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.settings.Settings.Auth.FactorRequired;
import io.fanfare.core.factor.Factors;
import java.util.List;
import java.util.Optional;

/** Second factors of accounts. */
public final class FactorFeature implements ApiFeature {
    private final CodeChecks checks;
    private final FactorRoutes routes;

    public FactorFeature(ApiLoop loop, Logins logins) {
        FactorRequired required = loop.settings().auth().secondFactorRequired();
        Factors factors =
                new Factors(loop.redis(), new SealedTexts(loop.keys(), Factors.SEALED), loop.clock(), loop.random());
        this.checks = new CodeChecks(factors, loop.tokens(), loop.rates(), loop.audit(), required);
        this.routes = new FactorRoutes(loop.accounts(), factors, checks, logins, loop.audit(), loop.publicUrl());
    }

    @Override
    public List<Endpoint> endpoints() {
        return routes.endpoints();
    }

    @Override
    public Optional<SecondFactors> secondFactors() {
        return Optional.of(checks);
    }
}
