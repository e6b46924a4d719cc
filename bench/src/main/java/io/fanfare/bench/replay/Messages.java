package io.fanfare.bench.replay;

import java.util.List;

/**
 * The texts to post, in the order of their file. Post i takes text i; after the last comes the first again. Immutable,
 * never empty.
 */
record Messages(List<String> texts) {
    Messages {
        texts = List.copyOf(texts);
        if (texts.isEmpty()) {
            throw new IllegalArgumentException("no messages");
        }
    }

    int count() {
        return texts.size();
    }

    String text(int post) {
        return texts.get(post % texts.size());
    }
}
