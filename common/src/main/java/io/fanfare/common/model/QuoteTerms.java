package io.fanfare.common.model;

/**
 * The rules for quotes of a status, and for it as a quote.
 *
 * @param policy the accounts that may quote it from now on; {@link QuotePolicy#PUBLIC} for a status that not everybody
 *     may see, which only its author may quote anyway
 * @param revoked whether the author of the quoted status has taken it out of this quote
 */
public record QuoteTerms(QuotePolicy policy, boolean revoked) {
    /** The terms of a status whose author has set none. */
    public static final QuoteTerms PLAIN = new QuoteTerms(QuotePolicy.PUBLIC, false);
}
