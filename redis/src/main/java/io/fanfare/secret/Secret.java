package io.fanfare.secret;

/** A value that must never be printed: {@code toString} hides it. Empty = not set. */
public record Secret(String reveal) {
    public boolean isSet() {
        return !reveal.isEmpty();
    }

    @Override
    public String toString() {
        return isSet() ? "***" : "";
    }
}
