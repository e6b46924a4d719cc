package io.fanfare.stream.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Boxes by where they lie. Four grids lie over the Earth, with cells of 64, 8, 1 and 1/8 degree; a box is kept in the finest of which it covers at most {@value #CELLS_MAX} cells (the
 * coarsest takes any), and a point looks at one cell of each. A pole lies in no cell of theirs but has one of its own. Confined to one event loop.
 */
final class Grid<V> {
    private static final double[] CELL_DEGREES = {0.125, 1, 8, 64};
    private static final int CELLS_MAX = 4;

    private final Map<Long, List<Entry<V>>> cells = new HashMap<>();

    private record Entry<V>(Box box, V value) {}

    void add(Box box, V value) {
        forCells(box, cell -> cells.computeIfAbsent(cell, empty -> new ArrayList<>(1))
                .add(new Entry<>(box, value)));
    }

    void remove(Box box, V value) {
        forCells(box, cell -> {
            List<Entry<V>> entries = cells.get(cell);
            entries.remove(new Entry<>(box, value));
            if (entries.isEmpty()) {
                cells.remove(cell);
            }
        });
    }

    /** Hands out the value of every box that holds the point; one with several such boxes several times. */
    void at(double longitude, double latitude, Consumer<V> found) {
        if (cells.isEmpty()) {
            return;
        }
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
        for (Entry<V> entry : cells.getOrDefault(cell, List.of())) {
            if (entry.box().contains(longitude, latitude)) {
                found.accept(entry.value());
            }
        }
    }

    private static void forCells(Box box, Consumer<Long> visit) {
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

    private static void forCellsOfGrid(Box box, Consumer<Long> visit) {
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
