package io.fanfare.bench.replay;

import io.fanfare.bench.input.InputFile;
import io.fanfare.bench.input.Skips;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads short messages. The name of the file, without {@code .gz}, tells the format: {@code .csv} and {@code .tsv} /
 * {@code .tab} have a header line and may quote fields, line breaks included; {@code .jsonl} / {@code .ndjson} has an
 * object on each line; anything else is one message per line.
 *
 * <p>The text column is the one asked for, else the first of {@code text}, {@code content}, {@code message} that is
 * there, else the only one. In JSON it may be a path such as {@code commit.record.text}. Blank texts are skipped and
 * those over {@link #TEXT_MAX} code points are cut, both counted; so are lines and records that cannot be read.
 */
final class MessageReader {
    /** Code points; the default of the server's {@code limits.text-max}. */
    static final int TEXT_MAX = 500;

    static final String MALFORMED = "malformed lines skipped";
    static final String NO_TEXT = "records without the text column skipped";
    static final String BLANK = "blank texts skipped";
    static final String CUT = "texts cut to " + TEXT_MAX + " characters";

    private static final List<String> USUAL_COLUMNS = List.of("text", "content", "message");

    private final String textColumn;
    private final Skips skips = new Skips();
    private final List<String> texts = new ArrayList<>();

    /** @param textColumn null = guess */
    MessageReader(String textColumn) {
        this.textColumn = textColumn;
    }

    /**
     * Reads the file; to be called once. An {@link IOException} says in words when there is no such column or nothing
     * to post.
     */
    Messages read(Path file) throws IOException {
        try (BufferedReader in = InputFile.open(file, "messages")) {
            switch (InputFile.type(file)) {
                case "csv" -> readTable(in, ',');
                case "tsv", "tab" -> readTable(in, '\t');
                case "jsonl", "ndjson" -> readJsonLines(in);
                default -> readLines(in);
            }
        }
        if (texts.isEmpty()) {
            throw new IOException("no messages in " + file.getFileName() + ": "
                    + (skips.sentences().isEmpty() ? "it is empty" : String.join("; ", skips.sentences())));
        }
        return new Messages(texts);
    }

    /** Counts of the messages that were left out or cut. */
    Skips skips() {
        return skips;
    }

    private void readLines(BufferedReader in) throws IOException {
        long number = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            number++;
            add(line, number);
        }
    }

    private void readTable(BufferedReader in, char delimiter) throws IOException {
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setDelimiter(delimiter)
                .setHeader()
                .setSkipHeaderRecord(true)
                .setAllowMissingColumnNames(true)
                // Text after a closing quote and a quote that is never closed are the file's mistakes: they cost a
                // record, not the run.
                .setTrailingData(true)
                .setLenientEof(true)
                .get();
        try (CSVParser table = CSVParser.parse(in, format)) {
            int column = column(table.getHeaderNames());
            int width = table.getHeaderNames().size();
            Iterator<CSVRecord> records = table.iterator();
            for (long line = table.getCurrentLineNumber() + 1;
                    records.hasNext();
                    line = table.getCurrentLineNumber() + 1) {
                CSVRecord row = records.next();
                if (row.size() == width) {
                    add(row.get(column), line);
                } else {
                    skips.add(MALFORMED, line);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private int column(List<String> names) throws IOException {
        List<String> wanted = textColumn == null ? USUAL_COLUMNS : List.of(textColumn);
        for (String name : wanted) {
            for (int i = 0; i < names.size(); i++) {
                if (names.get(i).strip().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
                    return i;
                }
            }
        }
        if (textColumn == null && names.size() == 1) {
            return 0;
        }
        throw new IOException("no column " + String.join(" or ", wanted) + "; there are " + names
                + ": choose one with --text-column");
    }

    private void readJsonLines(BufferedReader in) throws IOException {
        long number = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            number++;
            if (!line.isBlank()) {
                readJson(line, number);
            }
        }
    }

    private void readJson(String line, long number) {
        JsonObject object;
        try {
            object = new JsonObject(line);
        } catch (DecodeException e) {
            skips.add(MALFORMED, number);
            return;
        }
        String text = text(object);
        if (text == null) {
            skips.add(NO_TEXT, number);
        } else {
            add(text, number);
        }
    }

    private String text(JsonObject object) {
        for (String path : textColumn == null ? USUAL_COLUMNS : List.of(textColumn)) {
            Object value = object.getValue(path);
            JsonObject at = object;
            String[] steps = path.split("\\.", -1);
            for (int i = 0; value == null && at != null && i < steps.length; i++) {
                Object next = at.getValue(steps[i]);
                at = next instanceof JsonObject inner ? inner : null;
                value = i == steps.length - 1 ? next : null;
            }
            if (value instanceof String text) {
                return text;
            }
        }
        return null;
    }

    private void add(String raw, long line) {
        String text = raw.strip();
        if (text.isEmpty()) {
            skips.add(BLANK, line);
        } else if (text.codePointCount(0, text.length()) > TEXT_MAX) {
            skips.add(CUT, line);
            texts.add(text.substring(0, text.offsetByCodePoints(0, TEXT_MAX)));
        } else {
            texts.add(text);
        }
    }
}
