package io.fanfare.common.store;

import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Account;
import io.fanfare.common.redis.Redis;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Owns {@code user}, {@code login} and {@code email} keys. */
public final class Accounts {
    public Accounts(Redis redis, Shards shards, RandomGenerator random) {
        throw new UnsupportedOperationException();
    }

    /**
     * Makes an account: claims name and address with a time to live, writes the account as pending, makes the claims permanent, then the account active. A crash in between
     * leaves claims that expire. Fails with {@code Refusal(INVALID)} and field details {@code ERR_TAKEN}. Name and address come validated and folded to lower case.
     *
     * @param passwordHash PHC string, see {@code Passwords}; empty = no password login
     */
    public Future<Account> signUp(String username, String email, String passwordHash) {
        throw new UnsupportedOperationException();
    }

    /** {@link #signUp} of many at once, pipelined, for replays and tests; answers the ids in order. A name that is taken answers the account it belongs to. */
    public Future<List<Long>> signUpAll(List<String> usernames) {
        throw new UnsupportedOperationException();
    }

    public Future<Optional<Account>> find(long id) {
        throw new UnsupportedOperationException();
    }

    /** The accounts with these ids; unknown ones are left out. */
    public Future<Map<Long, Account>> load(Collection<Long> ids) {
        throw new UnsupportedOperationException();
    }

    public Future<Optional<Long>> idByUsername(String username) {
        throw new UnsupportedOperationException();
    }

    public Future<Optional<Long>> idByEmail(String email) {
        throw new UnsupportedOperationException();
    }

    /** The stored PHC string; empty Optional when the account does not exist. */
    public Future<Optional<String>> passwordHash(long id) {
        throw new UnsupportedOperationException();
    }

    public Future<Void> setPasswordHash(long id, String passwordHash) {
        throw new UnsupportedOperationException();
    }
}
