package io.fanfare.app.console;

import java.util.ArrayList;
import java.util.List;

/**
 * The features with operations of the console, one a line. A build without a feature is one without its line: its page
 * is not offered then.
 */
final class ConsoleFeatures {
    private ConsoleFeatures() {}

    static List<Operation> operations(ConsoleLoop loop) {
        List<Operation> all = new ArrayList<>();
        all.addAll(HeldOperations.of(loop));
        all.addAll(BlockOperations.of(loop));
        all.addAll(AppealOperations.of(loop));
        all.addAll(SelectionOperations.of(loop));
        all.addAll(InvitationOperations.of(loop));
        all.addAll(NoteOperations.of(loop));
        return all;
    }
}
