package io.fanfare.dist;

import io.fanfare.app.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Writes the pages of the manual, as AsciiDoc, and the completion of bash for every command of the product. Part of the
 * build: {@code CommandPages FOLDER} writes {@code FOLDER/man/*.adoc} and {@code FOLDER/fanfare.bash}.
 */
final class CommandPages {
    private CommandPages() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Path man = Files.createDirectories(folder.resolve("man"));
        CommandLine fanfare = Main.commandLine();
        int status = ManPageGenerator.generateManPage(
                man.toFile(), null, new boolean[0], /* overwriteCustomizablePages= */ true, fanfare.getCommandSpec());
        if (status != CommandLine.ExitCode.OK) {
            System.exit(status);
        }
        Files.writeString(folder.resolve("fanfare.bash"), AutoComplete.bash("fanfare", fanfare));
    }
}
