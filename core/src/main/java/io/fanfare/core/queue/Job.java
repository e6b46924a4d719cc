package io.fanfare.core.queue;

import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.MailLanguage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A unit of deferred work, as it travels on the queue: ids only, never texts. Every handler is idempotent: a job runs
 * at least once. To add a type, follow the recipe in CONTRIBUTING.md.
 */
public sealed interface Job {
    JobType type();

    /** The user in whose shard's queue the job waits. */
    long owner();

    /** The wire form after the type, see {@link JobCodec}; {@link JobType#read} reads it back. */
    String fields();

    /**
     * Puts one status into the homes of its author's followers, from the edge id {@code cursor} (exclusive) on; the
     * first page also makes sure of the event.
     */
    record FanOut(long author, long status, long cursor) implements Job {
        static FanOut read(JobFields fields) {
            return new FanOut(fields.id(), fields.id(), fields.number());
        }

        @Override
        public String fields() {
            return JobFields.line(author, status, cursor);
        }

        @Override
        public JobType type() {
            return JobType.FAN_OUT;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * Makes sure of the event and of the other consequences of a status that is delivered to no home: a comment, a
     * direct message, or a post of an author whom readers pull. A {@link FanOut} without deliveries.
     */
    record Announce(long author, long status) implements Job {
        static Announce read(JobFields fields) {
            Announce announce = new Announce(fields.id(), fields.id());
            fields.zero();
            return announce;
        }

        @Override
        public String fields() {
            return JobFields.line(author, status, 0);
        }

        @Override
        public JobType type() {
            return JobType.ANNOUNCE;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * Puts what an author has posted while readers pulled into the homes of the followers, from the edge id
     * {@code cursor} (exclusive) on: the statuses from {@code from} to {@code to} (exclusive), which is the first that
     * is pushed again. Then readers need not pull the author any more.
     */
    record CatchUp(long author, long from, long to, long cursor) implements Job {
        static CatchUp read(JobFields fields) {
            CatchUp catchUp = new CatchUp(fields.id(), fields.id(), fields.number(), fields.number());
            JobFields.require(catchUp.from <= catchUp.to);
            return catchUp;
        }

        @Override
        public String fields() {
            return JobFields.line(author, from, to, cursor);
        }

        @Override
        public JobType type() {
            return JobType.CATCH_UP;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * The rest that a {@link FanOut} has left to others: the followers from the edge id {@code cursor} (exclusive) to
     * {@code last} whose homes are in these shards. Of one page, since a part of Redis was away; or a page of a large
     * author, which is delivered beside others. That of a first page also settles the other consequences of the status.
     */
    record Deliver(long author, long status, long cursor, long last, Set<Integer> shards) implements Job {
        static Deliver read(JobFields fields) {
            Deliver deliver = new Deliver(fields.id(), fields.id(), fields.number(), fields.number(), fields.shards());
            JobFields.require(deliver.cursor <= deliver.last);
            return deliver;
        }

        @Override
        public String fields() {
            return JobFields.line(author, status, cursor, last) + ' ' + JobFields.list(shards);
        }

        @Override
        public JobType type() {
            return JobType.DELIVER;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * Takes a deleted status out of the followers' homes, from the edge id {@code cursor} (exclusive) on; the first
     * page also makes sure of the event.
     */
    record Retract(long author, long status, long cursor) implements Job {
        static Retract read(JobFields fields) {
            return new Retract(fields.id(), fields.id(), fields.number());
        }

        @Override
        public String fields() {
            return JobFields.line(author, status, cursor);
        }

        @Override
        public JobType type() {
            return JobType.RETRACT;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * Makes sure of the event and of the other consequences of an edit, and notifies the accounts that have reposted
     * the status, from the edge id {@code cursor} (exclusive) on.
     */
    record Edit(long author, long status, long edit, long cursor) implements Job {
        static Edit read(JobFields fields) {
            return new Edit(fields.id(), fields.id(), fields.number(), fields.number());
        }

        @Override
        public String fields() {
            return JobFields.line(author, status, edit, cursor);
        }

        @Override
        public JobType type() {
            return JobType.EDIT;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * Publishes what an author has scheduled.
     *
     * @param scheduled its id
     * @param due for when it was scheduled, epoch ms: one that has another time since has another job
     */
    record Publish(long author, long scheduled, long due) implements Job {
        static Publish read(JobFields fields) {
            return new Publish(fields.id(), fields.id(), fields.number());
        }

        @Override
        public String fields() {
            return JobFields.line(author, scheduled, due);
        }

        @Override
        public JobType type() {
            return JobType.PUBLISH;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /** Notifies the author of a poll that has ended, and its voters, from the place {@code cursor} (exclusive) on. */
    record EndPoll(long author, long status, long cursor) implements Job {
        static EndPoll read(JobFields fields) {
            return new EndPoll(fields.id(), fields.id(), fields.number());
        }

        @Override
        public String fields() {
            return JobFields.line(author, status, cursor);
        }

        @Override
        public JobType type() {
            return JobType.END_POLL;
        }

        @Override
        public long owner() {
            return author;
        }
    }

    /**
     * Sends word of a notification to one push subscription of an account.
     *
     * @param subscription its id, which is unique among those of the account
     */
    record Push(long account, long notification, long subscription) implements Job {
        static Push read(JobFields fields) {
            return new Push(fields.id(), fields.id(), fields.number());
        }

        @Override
        public String fields() {
            return JobFields.line(account, notification, subscription);
        }

        @Override
        public JobType type() {
            return JobType.PUSH;
        }

        @Override
        public long owner() {
            return account;
        }
    }

    /**
     * Makes the picture of a file that was received and is large.
     *
     * @param upload the id of the upload, whose record names the file
     */
    record Picture(long uploader, long upload) implements Job {
        static Picture read(JobFields fields) {
            Picture picture = new Picture(fields.id(), fields.id());
            fields.zero();
            return picture;
        }

        @Override
        public String fields() {
            return JobFields.line(uploader, upload, 0);
        }

        @Override
        public JobType type() {
            return JobType.PICTURE;
        }

        @Override
        public long owner() {
            return uploader;
        }
    }

    /**
     * Sends a mail to an account. The worker writes its text.
     *
     * @param subject the id of its subject, or 0
     * @param made when it was requested, epoch ms
     */
    record Mail(long account, MailKind kind, long subject, long made, MailLanguage language) implements Job {
        static Mail read(JobFields fields) {
            long account = fields.id();
            MailKind kind = MailKind.of(fields.next());
            JobFields.require(kind != null);
            long subject = fields.number();
            long made = fields.number();
            MailLanguage language = MailLanguage.of(fields.next());
            JobFields.require(language != null);
            return new Mail(account, kind, subject, made, language);
        }

        @Override
        public String fields() {
            return account + " " + kind.wire() + ' ' + JobFields.line(subject, made) + ' ' + language.wire();
        }

        @Override
        public JobType type() {
            return JobType.MAIL;
        }

        @Override
        public long owner() {
            return account;
        }
    }

    /**
     * Several changes that one account has made to its edges in one step, as a {@link Repair} each; the actor of each
     * is that account.
     *
     * @param changes follows, requests to follow, changes of their terms, and ends of these; 1 to {@value #MAX}
     */
    record Changes(long actor, List<Repair> changes) implements Job {
        /** Most changes of one job: with more of them a line might be too long. */
        public static final int MAX = 100;

        private static final Set<JobType> TYPES =
                Set.of(JobType.LINK, JobType.UNLINK, JobType.TERMS, JobType.REQUEST, JobType.UNREQUEST);

        public Changes {
            changes = List.copyOf(changes);
            if (changes.isEmpty() || changes.size() > MAX) {
                throw new IllegalArgumentException(changes.size() + " changes");
            }
            for (Repair change : changes) {
                if (change.actor() != actor || !isOne(change.type())) {
                    throw new IllegalArgumentException(change + " is no change of an edge of " + actor);
                }
            }
        }

        /** Whether jobs of this type are among what can be done together. */
        static boolean isOne(JobType type) {
            return TYPES.contains(type);
        }

        static Changes read(JobFields fields) {
            long actor = fields.id();
            List<Repair> changes = new ArrayList<>();
            do {
                changes.add(change(actor, fields.next()));
            } while (fields.hasNext() && changes.size() < MAX);
            return new Changes(actor, changes);
        }

        /** One as {@code link:<object>:<edge>}. */
        private static Repair change(long actor, String field) {
            String[] parts = field.split(":", -1);
            JobType type = parts.length == 3 ? JobType.of(parts[0]) : null;
            JobFields.require(type != null && isOne(type));
            JobFields ids = new JobFields(parts, 1);
            return new Repair(type, actor, ids.id(), ids.number());
        }

        @Override
        public String fields() {
            return actor + " "
                    + changes.stream()
                            .map(change -> change.type().wire() + ':' + change.object() + ':' + change.edge())
                            .collect(Collectors.joining(" "));
        }

        @Override
        public JobType type() {
            return JobType.CHANGES;
        }

        @Override
        public long owner() {
            return actor;
        }
    }

    /**
     * Finishes a change that touches two shards, or a shard and the event log: what a crash between its steps has cut.
     *
     * @param type which change, one with {@link JobType#isRepair}
     * @param actor who has made it: who follows, blocks, mutes or likes
     * @param object the other side: an account, or the status of a like
     * @param edge the id of the change: each step is bound to it
     */
    record Repair(JobType type, long actor, long object, long edge) implements Job {
        public Repair {
            if (!type.isRepair()) {
                throw new IllegalArgumentException(type + " repairs nothing");
            }
        }

        static Repair read(JobType type, JobFields fields) {
            return new Repair(type, fields.id(), fields.id(), fields.number());
        }

        @Override
        public String fields() {
            return JobFields.line(actor, object, edge);
        }

        @Override
        public long owner() {
            return actor;
        }
    }
}
