package io.fanfare.api;

import io.fanfare.common.auth.Passwords;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.http.BodyBudget;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.view.RenderCache;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * What a process gives to each of its API event loops: only what they may share.
 *
 * @param version of Fanfare, for instance documents
 * @param keys of access tokens
 * @param cache what was shown lately, by whichever loop
 * @param bodies of requests, of all roles
 * @param nanos elapsed time
 */
public record ApiParts(
        Settings settings,
        String version,
        Shards shards,
        SigningKeys keys,
        Passwords passwords,
        RenderCache cache,
        BodyBudget bodies,
        MeterRegistry metrics,
        Clock clock,
        LongSupplier nanos,
        SecureRandom random) {}
