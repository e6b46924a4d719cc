package io.fanfare.api.request;

import io.fanfare.common.model.Refusal;
import java.util.List;

/** A text names accounts that {@link AllowedMentions} lack. Travels as a failed Future; carries no stack trace. */
public final class UnexpectedMentions extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;
    private final transient List<Long> accounts;

    UnexpectedMentions(Refusal refusal, List<Long> accounts) {
        super(refusal.getMessage(), null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.refusal = refusal;
        this.accounts = List.copyOf(accounts);
    }

    /** The same in words. */
    public Refusal refusal() {
        return refusal;
    }

    /** The accounts, in the order of the text. */
    public List<Long> accounts() {
        return accounts;
    }
}
