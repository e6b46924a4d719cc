package io.fanfare.checks;

import static com.google.errorprone.BugPattern.SeverityLevel.ERROR;
import static com.google.errorprone.matchers.Matchers.allOf;
import static com.google.errorprone.matchers.Matchers.not;
import static com.google.errorprone.matchers.method.MethodMatchers.instanceMethod;

import com.google.errorprone.BugPattern;
import com.google.errorprone.ErrorProneFlags;
import com.google.errorprone.VisitorState;
import com.google.errorprone.bugpatterns.AbstractReturnValueIgnored;
import com.google.errorprone.bugpatterns.threadsafety.ConstantExpressions;
import com.google.errorprone.matchers.Matcher;
import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.ExpressionTree;

/**
 * Refuses an expression whose {@code io.vertx.core.Future} nobody looks at: its failure would vanish.
 *
 * <p>A statement, a lambda without a result and a method reference without a result are all refused. A chain may end in
 * a side note, as long as one of its side notes sees the failure: {@code onComplete} or {@code onFailure}.
 * {@code onSuccess} alone is a dropped failure.
 */
@BugPattern(
        name = "DroppedFuture",
        summary =
                "A Future is dropped, and its failure with it: return it, compose it, or end in onComplete or onFailure.",
        severity = ERROR)
public final class DroppedFuture extends AbstractReturnValueIgnored {
    private static final long serialVersionUID = 1L;
    private static final String FUTURE = "io.vertx.core.Future";

    private static final Matcher<ExpressionTree> SIDE_NOTE =
            instanceMethod().onDescendantOf(FUTURE).namedAnyOf("onComplete", "onFailure", "onSuccess");
    private static final Matcher<ExpressionTree> SEES_FAILURE =
            instanceMethod().onDescendantOf(FUTURE).namedAnyOf("onComplete", "onFailure");

    /** For the compiler, which finds the check through {@code META-INF/services}. */
    public DroppedFuture() {
        super(ConstantExpressions.fromFlags(ErrorProneFlags.empty()));
    }

    @Override
    protected Matcher<? super ExpressionTree> specializedMatcher() {
        return allOf(DroppedFuture::returnsFuture, not(DroppedFuture::failureIsSeen));
    }

    /** The type that a call returns, or the method of a method reference. */
    private static boolean returnsFuture(ExpressionTree tree, VisitorState state) {
        return ASTHelpers.isSubtype(ASTHelpers.getReturnType(tree), state.getTypeFromString(FUTURE), state);
    }

    private static boolean failureIsSeen(ExpressionTree tree, VisitorState state) {
        for (ExpressionTree step = tree;
                step != null && SIDE_NOTE.matches(step, state);
                step = ASTHelpers.getReceiver(step)) {
            if (SEES_FAILURE.matches(step, state)) {
                return true;
            }
        }
        return false;
    }
}
