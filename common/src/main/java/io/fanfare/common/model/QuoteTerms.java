package io.fanfare.common.model;

/**
 * What holds for quotes of a status, and for it as a quote.
 *
 * @param policy who may quote it from now on; {@link QuotePolicy#PUBLIC} of what not everybody may see, which only its
 *     author may quote anyway
 * @param revoked whether the author of what it quotes has taken it out of this quote
 */
public record QuoteTerms(QuotePolicy policy, boolean revoked) {
    /** Those of a status of which nobody has said anything else. */
    public static final QuoteTerms PLAIN = new QuoteTerms(QuotePolicy.PUBLIC, false);
}
