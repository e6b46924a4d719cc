package io.fanfare.server.runtime;

import io.fanfare.vertx.LoopContext;
import io.fanfare.vertx.VertxInternals;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Checks whether every event loop of the process, the one that accepts connections among them, still turns. A loop that
 * has not answered gets no second probe before it does, however often somebody checks. Confined to one event loop.
 */
final class LoopProbe {
    private final Vertx vertx;
    private final List<Question> questions = new ArrayList<>();

    LoopProbe(Vertx vertx) {
        this.vertx = vertx;
        VertxInternals.eventLoops(vertx).forEach(loop -> questions.add(new Question(loop)));
    }

    /** The last one to a loop. */
    private static final class Question {
        final EventExecutor loop;
        Future<Void> answer = Future.succeededFuture();

        Question(EventExecutor loop) {
            this.loop = loop;
        }
    }

    /** How many loops there are. */
    int loops() {
        return questions.size();
    }

    /** How many of them have not answered in time. Never fails. */
    Future<Integer> silent(Duration max) {
        List<Future<Void>> answers = new ArrayList<>();
        for (Question question : questions) {
            if (question.answer.isComplete()) {
                ask(question);
            }
            answers.add(question.answer.timeout(max.toMillis(), TimeUnit.MILLISECONDS));
        }
        return Future.join(answers).map(0).otherwise(late ->
                (int) answers.stream().filter(Future::failed).count());
    }

    private void ask(Question question) {
        Promise<Void> answer = LoopContext.current(vertx).promise();
        question.answer = answer.future();
        question.loop.execute(answer::complete);
    }
}
