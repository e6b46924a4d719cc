package io.fanfare.bench;

/** The main class of the jar. It needs no other class, so that it can say in a sentence what is missing. */
public final class Start {
    private static final int PRODUCT_MISSING = 1;

    private Start() {}

    public static void main(String[] args) {
        if (Start.class.getResource("/io/fanfare/app/Program.class") == null) {
            System.err.println("fanfare: fanfare.jar is missing: put it in the folder of fanfare-bench.jar, or build it"
                    + " in a checkout with mvn -q -B -DskipTests package");
            System.exit(PRODUCT_MISSING);
        }
        Main.main(args);
    }
}
