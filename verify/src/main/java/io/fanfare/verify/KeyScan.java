package io.fanfare.verify;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Key;
import io.fanfare.common.keyspace.KeyShape;
import io.fanfare.common.keyspace.KeyShape.Owner;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.AddressChanges.Change;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.verify.Difference.Kind;
import io.fanfare.verify.StatusCheck.Facts;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Lists the keys of every master with SCAN, a portion at a time, and looks for those that nothing names: keys that
 * {@link Keys} does not spell, and keys of accounts and statuses that do not exist. Statuses that their author's
 * profile lacks are found here. Comments, and the votes of polls of archived statuses, are checked here, since no
 * profile lists them. A key with an end is left to it. One event loop.
 */
final class KeyScan {
    /** How the last part of a batch's key begins; the name of the batch follows. */
    static final String BATCH = "batch:";

    private static final int PORTION = 500;

    /** Keys that tell of an article: one without groups has voters alone. */
    private static final Set<Key> OF_ARTICLES = Set.of(Key.ARTICLE, Key.ARTICLE_VOTERS, Key.ARTICLE_BALLOTS);

    private final RedisLink redis;
    private final RedisLink lister;
    private final Shards shards;
    private final StatusCheck statuses;
    private final ArticleCheck articles;
    private final ErasureCheck erasures;

    /** @param lister a link as a user who may SCAN */
    KeyScan(RedisLink redis, RedisLink lister, Shards shards, StatusCheck statuses) {
        this.redis = redis;
        this.lister = lister;
        this.shards = shards;
        this.statuses = statuses;
        this.articles = new ArticleCheck(redis, statuses);
        this.erasures = new ErasureCheck(redis);
    }

    /** Hands every key of the namespace to {@code step}, some hundred at once; some keys more than once. */
    Future<Void> each(Function<List<String>, Future<Void>> step) {
        return Pages.each(lister, lister.nodes(), node -> {
            String[] cursor = {RedisLink.Scan.BEGIN};
            return Pages.whileTrue(
                    lister, () -> lister.scan(node, cursor[0], PORTION).compose(page -> {
                        cursor[0] = page.cursor();
                        return step.apply(page.keys()).map(!page.isLast());
                    }));
        });
    }

    /** Looks at some keys. */
    Future<Findings> look(List<String> keys) {
        Findings findings = new Findings();
        findings.keys = keys.size();
        List<Question> questions = new ArrayList<>();
        List<Long> comments = new ArrayList<>();
        Set<Long> found = new LinkedHashSet<>();
        for (String key : keys) {
            Optional<KeyShape> shape = KeyShape.of(key).filter(this::isOfAShard);
            if (shape.isEmpty()) {
                String detail = "key " + key + " is none that Fanfare spells";
                findings.add(new Difference(Kind.UNKNOWN_KEY, 0, 0, 0, 0, key, detail));
            } else if (OF_ARTICLES.contains(shape.get().kind())) {
                found.add(Id.parse(shape.get().rest()));
            } else {
                question(key, shape.get()).ifPresent(questions::add);
            }
        }
        List<Command> commands = questions.stream().map(Question::command).toList();
        return BatchedPipeline.sendEach(redis, commands)
                .compose(replies -> {
                    List<Suspect> suspects = new ArrayList<>();
                    List<Account> accounts = new ArrayList<>();
                    List<Listed> listed = new ArrayList<>();
                    List<Long> erasing = new ArrayList<>();
                    for (int i = 0; i < replies.size(); i++) {
                        Question question = questions.get(i);
                        if (replies.get(i) instanceof Reply.Failure failure) {
                            if (!failure.error().isWrongType()) {
                                return Future.failedFuture(failure.error());
                            }
                            findings.add(broken(question.key()));
                        } else {
                            judge(question, replies.get(i), suspects, accounts, listed, comments, found, erasing);
                        }
                    }
                    return withoutArchived(suspects)
                            .compose(lost ->
                                    votesOfArchived(suspects, lost, findings).compose(done -> suspects(lost, findings)))
                            .compose(done -> names(accounts, findings))
                            .compose(done -> Pages.each(redis, erasing, account -> erasures.look(account, findings)))
                            .compose(done -> listed(listed, findings));
                })
                .compose(done -> comments(comments, findings))
                .compose(done -> articles.look(found, findings))
                .map(findings);
    }

    private boolean isOfAShard(KeyShape shape) {
        long shard = shape.owner() == Owner.SHARD ? shape.id() : shape.owner() == Owner.NONE ? 0 : Id.shard(shape.id());
        return shard < shards.count();
    }

    private static Difference broken(String key) {
        return new Difference(Kind.BROKEN, 0, 0, 0, 0, key, "key " + key + " cannot be read with its owner");
    }

    /** The first command about a key. */
    private record Question(String key, KeyShape shape, Command command) {}

    /** A key whose owner is gone, unless it ends by itself. */
    private record Suspect(String key, KeyShape shape, String why) {}

    /**
     * One with a name.
     *
     * @param deleted whether it is left to nobody, so that the index of names lacks it
     */
    private record Account(long id, String name, boolean deleted) {}

    private record Listed(long status, long author) {}

    private static Optional<Question> question(String key, KeyShape shape) {
        return switch (shape.owner()) {
            case ACCOUNT ->
                Optional.of(new Question(
                        key, shape, Command.of("HMGET", Keys.user(shape.id()), "state", "name", "erasing")));
            case STATUS ->
                Optional.of(new Question(
                        key,
                        shape,
                        Command.of("HMGET", Keys.status(shape.id()), "uid", "gone", "kind", "title", "cold")));
            case SHARD ->
                shape.kind() == Key.QUEUE_BATCH
                        ? Optional.of(new Question(
                                key,
                                shape,
                                Command.of(
                                        "ZSCORE",
                                        Keys.leases((int) shape.id()),
                                        shape.rest().substring(BATCH.length()))))
                        : Optional.empty();
            case NONE ->
                shape.kind() == Key.LOGIN || shape.kind() == Key.EMAIL
                        ? Optional.of(new Question(key, shape, Command.of("GET", key)))
                        : Optional.empty();
        };
    }

    private static void judge(
            Question question,
            Reply reply,
            List<Suspect> suspects,
            List<Account> accounts,
            List<Listed> listed,
            List<Long> comments,
            Set<Long> articles,
            List<Long> erasing) {
        KeyShape shape = question.shape();
        switch (shape.owner()) {
            case ACCOUNT -> {
                if (reply.items().get(0).isNil()) {
                    suspects.add(new Suspect(question.key(), shape, "account " + shape.id() + " does not exist"));
                } else if (shape.kind() != Key.USER
                        && Accounts.isErased(reply.items().get(0), reply.items().get(2))) {
                    suspects.add(new Suspect(question.key(), shape, "account " + shape.id() + " is deleted"));
                } else if (shape.kind() == Key.USER
                        && Accounts.isHolder(reply.items().get(0).asString())) {
                    boolean deleted = !Accounts.isSignedUp(reply.items().get(0).asString());
                    if (!reply.items().get(1).isNil()) {
                        accounts.add(
                                new Account(shape.id(), reply.items().get(1).asString(), deleted));
                    }
                    if (deleted && !reply.items().get(2).isNil()) {
                        erasing.add(shape.id());
                    }
                }
            }
            case STATUS -> {
                if (!StatusCheck.lives(reply)) {
                    suspects.add(new Suspect(question.key(), shape, "status " + shape.id() + " does not exist"));
                } else if (shape.kind() == Key.STATUS) {
                    if (!reply.items().get(3).isNil()) {
                        articles.add(shape.id());
                    }
                    // An archived one that is here again, or an article, is in no list either.
                    String kind = reply.items().get(2).asString();
                    if ("comment".equals(kind)
                            || "direct".equals(kind)
                            || !reply.items().get(4).isNil()) {
                        comments.add(shape.id());
                    } else {
                        listed.add(new Listed(shape.id(), reply.items().get(0).asLong()));
                    }
                }
            }
            case SHARD -> {
                if (reply.isNil()) {
                    suspects.add(new Suspect(question.key(), shape, "no lease names it"));
                }
            }
            case NONE -> {
                if (!reply.isNil()) {
                    suspects.add(new Suspect(question.key(), shape, reply.asString()));
                }
            }
        }
    }

    /** Leaves out keys of archived statuses, whose owner is in the archive. */
    private Future<List<Suspect>> withoutArchived(List<Suspect> suspects) {
        List<Long> ids = suspects.stream()
                .map(Suspect::shape)
                .filter(shape -> shape.owner() == Owner.STATUS)
                .map(KeyShape::id)
                .toList();
        return statuses.archived(ids).map(archived -> suspects.stream()
                .filter(suspect -> suspect.shape().owner() != Owner.STATUS
                        || !archived.contains(suspect.shape().id()))
                .toList());
    }

    /**
     * No profile leads to archived statuses, so that the votes of their polls are counted where their keys are found.
     */
    private Future<Void> votesOfArchived(List<Suspect> suspects, List<Suspect> lost, Findings findings) {
        Set<Suspect> without = Set.copyOf(lost);
        List<Long> archived = suspects.stream()
                .filter(suspect -> suspect.shape().kind() == Key.POLL_VOTES && !without.contains(suspect))
                .map(suspect -> suspect.shape().id())
                .toList();
        return statuses.votesOfArchived(archived, findings);
    }

    private Future<Void> suspects(List<Suspect> suspects, Findings findings) {
        List<Command> commands = new ArrayList<>();
        for (Suspect suspect : suspects) {
            long owner = isClaim(suspect) ? Id.parse(suspect.why()) : -1;
            commands.add(Command.of("TTL", suspect.key()));
            commands.add(
                    owner > 0
                            ? Command.of("HMGET", Keys.user(owner), "state", "email", "erasing")
                            : Command.of("EXISTS", suspect.key()));
            long id = suspect.shape().id();
            commands.add(
                    isStatus(suspect)
                            ? Command.of("ZSCORE", Keys.archiveGone(Id.shard(id)), id)
                            : owner > 0
                                    ? Command.of("GET", Keys.addressChange(owner))
                                    : Command.of("EXISTS", suspect.key()));
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            for (int i = 0; i < suspects.size(); i++) {
                Suspect suspect = suspects.get(i);
                // A tombstone gets its end once the archive has the delete.
                boolean waits = isStatus(suspect) && !replies.get(3 * i + 2).isNil();
                boolean endless = replies.get(3 * i).asLong() == -1 && !waits;
                Reply owner = replies.get(3 * i + 1);
                String why = isClaim(suspect)
                        ? wrongClaim(suspect, owner, replies.get(3 * i + 2))
                        : owner.asLong() == 1 ? suspect.why() : "";
                if (endless && !why.isEmpty()) {
                    findings.add(orphan(suspect, why));
                }
            }
            return null;
        });
    }

    private static boolean isStatus(Suspect suspect) {
        return suspect.shape().kind() == Key.STATUS;
    }

    private static boolean isClaim(Suspect suspect) {
        return suspect.shape().owner() == Owner.NONE;
    }

    /**
     * The reason why nobody needs a claim; empty = its account has the name or address, or may get it yet.
     *
     * @param owner the fields {@code state}, {@code email}, {@code erasing} of the account that it names
     * @param change the stored change of that account's address, or nil
     */
    private static String wrongClaim(Suspect claim, Reply owner, Reply change) {
        String account = "it names account " + claim.why();
        if (Id.parse(claim.why()) <= 0 || owner.items().get(0).isNil()) {
            return account + ", which does not exist";
        }
        String state = owner.items().get(0).asString();
        boolean settled = Accounts.isSignedUp(state)
                || Accounts.isErased(owner.items().get(0), owner.items().get(2));
        if (claim.shape().kind() != Key.EMAIL || !settled) {
            return "";
        }
        Reply email = owner.items().get(1);
        boolean has = !email.isNil() && claim.key().equals(Keys.email(email.asString()));
        boolean changes = Change.of(change)
                .filter(one -> claim.key().equals(Keys.email(one.address())))
                .isPresent();
        return has || changes ? "" : account + ", which does not have the address";
    }

    private static Difference orphan(Suspect suspect, String why) {
        KeyShape shape = suspect.shape();
        Kind kind = shape.owner() == Owner.SHARD ? Kind.LOST_BATCH : Kind.ORPHAN;
        long owner =
                isClaim(suspect) ? Math.max(0, Id.parse(suspect.why())) : shape.owner() == Owner.SHARD ? 0 : shape.id();
        return new Difference(kind, owner, 0, 0, 0, suspect.key(), "key " + suspect.key() + ": " + why);
    }

    private Future<Void> names(List<Account> accounts, Findings findings) {
        List<Command> commands = new ArrayList<>();
        for (Account account : accounts) {
            commands.add(Command.of("ZSCORE", Keys.NAMES, account.name() + " " + account.id()));
            commands.add(Command.of("GET", Keys.login(account.name())));
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            for (int i = 0; i < accounts.size(); i++) {
                Account account = accounts.get(i);
                String login = replies.get(2 * i + 1).asString();
                boolean unlisted = !account.deleted() && replies.get(2 * i).isNil();
                if (unlisted || !Long.toString(account.id()).equals(login)) {
                    String detail = "the name of account " + account.id() + " leads to "
                            + (login == null ? "nobody" : "account " + login)
                            + (unlisted ? ", and the index of names does not have it" : "");
                    findings.add(new Difference(Kind.NAME, account.id(), 0, 0, 0, account.name(), detail));
                }
            }
            return null;
        });
    }

    private Future<Void> listed(List<Listed> listed, Findings findings) {
        List<Command> commands = new ArrayList<>();
        for (Listed status : listed) {
            commands.add(Command.of("ZSCORE", Keys.profile(status.author()), status.status()));
            commands.add(Command.of("HEXISTS", Keys.user(status.author()), "state"));
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            for (int i = 0; i < listed.size(); i++) {
                Listed status = listed.get(i);
                if (replies.get(2 * i + 1).asLong() == 0) {
                    String key = Keys.status(status.status());
                    String detail = "key " + key + ": its author " + status.author() + " does not exist";
                    findings.add(new Difference(Kind.ORPHAN, status.status(), 0, 0, 0, key, detail));
                } else if (replies.get(2 * i).isNil()) {
                    findings.add(AccountCheck.listing(
                            status.author(), status.status(), 0, "the profile does not list", "which lives"));
                }
            }
            return null;
        });
    }

    private Future<Void> comments(List<Long> ids, Findings findings) {
        return ids.isEmpty()
                ? Future.succeededFuture()
                : statuses.read(ids)
                        .compose(facts -> statuses.check(
                                facts.stream().filter(Facts::lives).toList(), findings));
    }
}
