/**
 * Verification of a data set beside the running service: what is kept twice must agree, and every key must have an
 * owner.
 *
 * <p>Read {@link io.fanfare.verify.Verifier} first: it walks accounts and keys. {@code AccountCheck},
 * {@code StatusCheck}, {@code KeyScan} and {@link io.fanfare.verify.HomeAudit} look; {@code Recheck} looks again until
 * a difference is certain; {@code Repairer} repairs. {@link io.fanfare.verify.Report} says what was found.
 *
 * <p>To check one more thing, add a {@code Difference.Kind}, note it where its account or key is looked at, repair it
 * in {@code Repairer}, and damage it in {@code VerifierTest}.
 */
package io.fanfare.verify;
