package io.fanfare.stream.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Boxes by where they lie. Four grids lie over the Earth, with cells of 64, 8, 1 and 1/8 degree; a box is kept in the
 * finest of which it covers at most {@value #CELLS_MAX} cells (the coarsest takes any), and a point looks at one cell
 * of each. A pole lies in no cell of theirs but has one of its own. Confined to one event loop.
 */
final class Grid<V> {
    private static final double[] CELL_DEGREES = {0.125, 1, 8, 64};
    private static final int CELLS_MAX = 4;

    /** Numbers of cells by what {@link #cell} calls them. */
    private final Postings byPlace;

    private final Slab<Cell<V>> cells = new Slab<>();

    /** @param seed of hashes */
    Grid(long seed) {
        byPlace = new Postings(seed);
    }

    /**
     * The boxes that are kept in a cell. Their bounds lie side by side: to look at each where it lies would be a wait
     * for memory each.
     */
    private static final class Cell<V> {
        private static final int BOUNDS = 4;

        double[] bounds = new double[BOUNDS];
        final List<V> values = new ArrayList<>(1);

        void add(Box box, V value) {
            int at = BOUNDS * values.size();
            if (at == bounds.length) {
                bounds = Arrays.copyOf(bounds, 2 * at);
            }
            bounds[at] = box.west();
            bounds[at + 1] = box.south();
            bounds[at + 2] = box.east();
            bounds[at + 3] = box.north();
            values.add(value);
        }

        /** The last one takes its place. */
        void remove(Box box, V value) {
            int i = 0;
            while (!values.get(i).equals(value) || !box(i).equals(box)) {
                i++;
            }
            int last = values.size() - 1;
            System.arraycopy(bounds, BOUNDS * last, bounds, BOUNDS * i, BOUNDS);
            values.set(i, values.get(last));
            values.remove(last);
        }

        private Box box(int i) {
            int at = BOUNDS * i;
            return new Box(bounds[at], bounds[at + 1], bounds[at + 2], bounds[at + 3]);
        }

        void look(double longitude, double latitude, Consumer<V> found) {
            for (int i = 0; i < values.size(); i++) {
                int at = BOUNDS * i;
                if (Box.contains(bounds[at], bounds[at + 1], bounds[at + 2], bounds[at + 3], longitude, latitude)) {
                    found.accept(values.get(i));
                }
            }
        }
    }

    void add(Box box, V value) {
        forCells(box, cell -> {
            int known = byPlace.only(cell);
            int number = known >= 0 ? known : cells.add(new Cell<>());
            if (known < 0) {
                byPlace.add(cell, 0, number);
            }
            cells.get(number).add(box, value);
        });
    }

    void remove(Box box, V value) {
        forCells(box, cell -> {
            int number = byPlace.only(cell);
            cells.get(number).remove(box, value);
            if (cells.get(number).values.isEmpty()) {
                byPlace.remove(cell, 0, number);
                cells.remove(number);
            }
        });
    }

    /** Hands out the value of every box that holds the point; one with several such boxes several times. */
    void at(double longitude, double latitude, Consumer<V> found) {
        if (Box.isPole(latitude)) {
            look(pole(latitude), longitude, latitude, found);
            return;
        }
        lookAround(longitude, longitude, latitude, found);
        if (Math.abs(longitude) == 180) {
            // The antimeridian has two names, and lies in cells of either.
            lookAround(-longitude, longitude, latitude, found);
        }
    }

    private void lookAround(double cellLongitude, double longitude, double latitude, Consumer<V> found) {
        for (int level = 0; level < CELL_DEGREES.length; level++) {
            look(cell(level, index(level, cellLongitude), index(level, latitude)), longitude, latitude, found);
        }
    }

    private void look(long cell, double longitude, double latitude, Consumer<V> found) {
        int number = byPlace.only(cell);
        if (number >= 0) {
            cells.get(number).look(longitude, latitude, found);
        }
    }

    private static void forCells(Box box, LongConsumer visit) {
        for (double latitude : new double[] {box.south(), box.north()}) {
            if (Box.isPole(latitude)) {
                visit.accept(pole(latitude));
            }
        }
        if (box.west() > box.east()) {
            forCellsOfGrid(new Box(box.west(), box.south(), 180, box.north()), visit);
            forCellsOfGrid(new Box(-180, box.south(), box.east(), box.north()), visit);
        } else {
            forCellsOfGrid(box, visit);
        }
    }

    private static void forCellsOfGrid(Box box, LongConsumer visit) {
        int level = 0;
        while (level < CELL_DEGREES.length - 1 && count(level, box) > CELLS_MAX) {
            level++;
        }
        for (int x = index(level, box.west()); x <= index(level, box.east()); x++) {
            for (int y = index(level, box.south()); y <= index(level, box.north()); y++) {
                visit.accept(cell(level, x, y));
            }
        }
    }

    private static int count(int level, Box box) {
        int wide = index(level, box.east()) - index(level, box.west()) + 1;
        int high = index(level, box.north()) - index(level, box.south()) + 1;
        return wide * high;
    }

    private static int index(int level, double degrees) {
        return (int) Math.floor(degrees / CELL_DEGREES[level]);
    }

    private static long pole(double latitude) {
        return cell(CELL_DEGREES.length, 0, latitude > 0 ? 1 : 0);
    }

    private static long cell(int level, int x, int y) {
        return ((long) level << 40) | ((long) (x + 4096) << 20) | (y + 4096);
    }
}
