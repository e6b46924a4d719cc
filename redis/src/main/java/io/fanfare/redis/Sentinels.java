package io.fanfare.redis;

import io.fanfare.redis.RedisError.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Asks the sentinels of {@code redis.sentinels} which server is the master (SENTINEL GET-MASTER-ADDR-BY-NAME), one
 * after the other from the one that answered last, each on a connection of its own. Confined to the loop.
 */
final class Sentinels {
    private final Connector connector;
    private final String master;
    private final List<NodeAddress.Address> addresses;
    private final List<Command> question = new ArrayList<>();
    private int preferred;

    /**
     * @param master the name under which the sentinels watch it
     * @param password empty = no AUTH
     */
    Sentinels(Connector connector, String master, List<NodeAddress.Address> addresses, String password) {
        this.connector = connector;
        this.master = master;
        this.addresses = List.copyOf(addresses);
        if (!password.isEmpty()) {
            question.add(Command.routed("AUTH", null, password));
        }
        question.add(Command.routed("SENTINEL", null, "GET-MASTER-ADDR-BY-NAME", master));
    }

    /**
     * Finds the address of the master. Fails as UNAVAILABLE, with the reason of each sentinel, when none knows: at the
     * latest after twice {@code redis.connect-timeout} for each.
     */
    Future<NodeAddress.Address> master() {
        return ask(0, new ArrayList<>());
    }

    private Future<NodeAddress.Address> ask(int tried, List<String> reasons) {
        if (tried == addresses.size()) {
            return Future.failedFuture(new RedisError(
                    Kind.UNAVAILABLE,
                    "no sentinel of redis.sentinels knows where the master " + master + " is: "
                            + String.join("; ", reasons)));
        }
        int index = (preferred + tried) % addresses.size();
        NodeAddress.Address sentinel = addresses.get(index);
        return connector
                .open(sentinel)
                .compose(connection -> answer(connection, sentinel))
                .transform(done -> {
                    if (done.succeeded()) {
                        preferred = index;
                        return Future.succeededFuture(done.result());
                    }
                    reasons.add(done.cause().getMessage());
                    return ask(tried + 1, reasons);
                });
    }

    private Future<NodeAddress.Address> answer(RespConnection connection, NodeAddress.Address sentinel) {
        return connector
                .context()
                .<NodeAddress.Address>future(promise -> {
                    long timer = connector.after(
                            connector.connectTimeoutNanos(),
                            () -> promise.tryFail(away(sentinel, "no answer within redis.connect-timeout")));
                    connection.listen(
                            new Consumer<>() {
                                private int answered;

                                @Override
                                public void accept(Reply reply) {
                                    answered++;
                                    if (reply instanceof Reply.Failure failure) {
                                        promise.tryFail(
                                                away(sentinel, failure.error().getMessage()));
                                    } else if (answered == question.size()) {
                                        named(reply, sentinel).onComplete(promise::tryComplete, promise::tryFail);
                                    }
                                }
                            },
                            cause -> promise.tryFail(away(sentinel, cause)));
                    question.forEach(connection::write);
                    promise.future().onComplete(done -> connector.cancel(timer));
                })
                .onComplete(done -> connection.close("the sentinel has answered or failed"));
    }

    /** The reply is {@code [host, port]}, or nil for a name that the sentinel does not watch. */
    private Future<NodeAddress.Address> named(Reply reply, NodeAddress.Address sentinel) {
        if (!(reply instanceof Reply.Items items) || items.list().size() != 2) {
            return Future.failedFuture(away(sentinel, "it watches no master of that name"));
        }
        return Future.succeededFuture(new NodeAddress.Address(
                items.list().get(0).asString(),
                Integer.parseInt(items.list().get(1).asString())));
    }

    private static RedisError away(NodeAddress.Address sentinel, String why) {
        return new RedisError(Kind.UNAVAILABLE, sentinel + ": " + why);
    }
}
