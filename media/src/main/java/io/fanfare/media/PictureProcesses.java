package io.fanfare.media;

import io.fanfare.common.model.Refusal;
import io.fanfare.failure.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The child processes that decode pictures. A child serves one picture at a time; one that has nothing to do is kept
 * for the next picture, further ones end. A child that dies takes nothing with it: its file gets one more child, and is
 * refused when that dies, too. A child that the system has ended says nothing about its file. Blocks; safe for every
 * thread.
 */
class PictureProcesses implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PictureProcesses.class);

    /** The first death may have been the machine's fault; the second is the file's. */
    private static final int DEATHS_MAX = 2;

    private static final long RETRY_SECONDS = 60;

    private final Supplier<Path> drafts;
    private final Supplier<Confinement> confinement;
    private final List<String> options;
    private final long secondsMax;

    /** Guards all fields below. */
    private final Object lock = new Object();

    private final Set<PictureProcess> running = new HashSet<>();

    /** The child that waits for the next picture; null = none does. */
    private PictureProcess idle;

    /** Whether it has waited since {@link #endIdle} was called. */
    private boolean idleSeen;

    private int deaths;
    private boolean closed;

    /**
     * @param drafts paths for temporary files, of which the directory is used
     * @param options more options for {@code java}
     * @param secondsMax seconds that a picture may take
     */
    PictureProcesses(Supplier<Path> drafts, Supplier<Confinement> confinement, List<String> options, long secondsMax) {
        this.drafts = drafts;
        this.confinement = confinement;
        this.options = options;
        this.secondsMax = secondsMax;
    }

    /**
     * Makes the picture of a checked file. Fails with {@code Refusal(INVALID)} for a broken file and for one that ends
     * its child twice, with {@code Refusal(OVERLOADED)} when no child can be started, the machine has no time or memory
     * for it, or the picture cannot be written.
     *
     * @param cleaned path of the copy without metadata
     * @param original path of the picture, {@code small} of its small size
     */
    Rendition make(PictureUse use, PictureHead head, Path cleaned, Path original, Path small) {
        PictureChild.Request request = new PictureChild.Request(use, head, cleaned, original, small);
        int ownDeaths = 0;
        boolean endedBefore = false;
        while (true) {
            try {
                return made(request);
            } catch (PictureProcess.Starved starved) {
                LOG.warn("picture process had no time or memory cause={}", starved.getMessage());
                // One that waited may have been ended long ago; a new one has what the machine has now.
                if (starved.isLate() || endedBefore) {
                    throw unavailable();
                }
                endedBefore = true;
            } catch (IOException died) {
                countDeath();
                ownDeaths++;
                LOG.warn(
                        "picture process died format={} width={} height={} death={} of {} cause={}",
                        head.format(),
                        head.width(),
                        head.height(),
                        ownDeaths,
                        DEATHS_MAX,
                        died.getMessage());
                if (ownDeaths == DEATHS_MAX) {
                    throw PictureHead.broken();
                }
            }
        }
    }

    /**
     * By one child.
     *
     * @throws PictureProcess.Starved if the machine had no time or memory for it
     * @throws IOException if it has died of itself, or is killed because it takes longer
     */
    private Rendition made(PictureChild.Request request) throws IOException, PictureProcess.Starved {
        PictureProcess process = take();
        boolean served = false;
        try {
            Rendition made = process.make(request, secondsMax);
            served = true;
            return made;
        } catch (Refusal refusal) {
            served = true;
            throw refusal;
        } catch (PictureChild.Unwritable unwritable) {
            served = true;
            LOG.warn("picture cannot be written cause={}", unwritable.getMessage());
            throw Refusal.overloaded("The server cannot keep pictures at the moment: try again later.", RETRY_SECONDS);
        } finally {
            if (served) {
                giveBack(process);
            } else {
                end(process);
            }
        }
    }

    /** Refuses when the death is our own doing. */
    private void countDeath() {
        synchronized (lock) {
            if (closed) {
                throw unavailable();
            }
            deaths++;
        }
    }

    private PictureProcess take() {
        PictureProcess waiting = takeIdle();
        if (waiting != null && waiting.isAlive()) {
            return waiting;
        }
        if (waiting != null) {
            end(waiting);
        }
        try {
            Path folder = drafts.get().toAbsolutePath().getParent();
            Path unused = Files.createDirectories(folder);
            return added(PictureProcess.start(confinement.get(), options, folder));
        } catch (IOException failed) {
            LOG.error("picture process cannot be started cause={}", Reason.of(failed));
            throw unavailable();
        }
    }

    private PictureProcess takeIdle() {
        synchronized (lock) {
            if (closed) {
                throw unavailable();
            }
            PictureProcess waiting = idle;
            idle = null;
            return waiting;
        }
    }

    private PictureProcess added(PictureProcess started) {
        synchronized (lock) {
            if (!closed) {
                boolean unused = running.add(started);
                return started;
            }
        }
        started.close();
        throw unavailable();
    }

    private static Refusal unavailable() {
        return Refusal.overloaded("The server cannot process pictures at the moment: try again later.", RETRY_SECONDS);
    }

    private void giveBack(PictureProcess process) {
        synchronized (lock) {
            if (!closed && idle == null) {
                idle = process;
                idleSeen = false;
                return;
            }
        }
        end(process);
    }

    private void end(PictureProcess process) {
        synchronized (lock) {
            boolean unused = running.remove(process);
        }
        process.close();
    }

    /** Ends the child that has had nothing to do since this was called before. Never blocks. */
    void endIdle() {
        PictureProcess waiting;
        synchronized (lock) {
            waiting = idleSeen ? idle : null;
            idleSeen = true;
            if (waiting != null) {
                idle = null;
            }
        }
        if (waiting != null) {
            end(waiting);
        }
    }

    /** Children that have died over a file. */
    int deaths() {
        synchronized (lock) {
            return deaths;
        }
    }

    /** Children that run. */
    int size() {
        synchronized (lock) {
            return running.size();
        }
    }

    /** Kills every child; the pictures that they make fail. */
    @Override
    public void close() {
        List<PictureProcess> ending;
        synchronized (lock) {
            closed = true;
            idle = null;
            ending = List.copyOf(running);
            running.clear();
        }
        ending.forEach(PictureProcess::close);
    }
}
