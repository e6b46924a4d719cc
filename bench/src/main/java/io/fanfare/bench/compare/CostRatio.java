package io.fanfare.bench.compare;

import io.fanfare.bench.report.Comparison;
import java.util.List;

/**
 * The cost of a unit of work in a second version, relative to the first, from rounds that were measured in pairs.
 *
 * @param contestant the contestant and the process that the cost belongs to
 * @param before microseconds a unit in the first version, the median of the rounds
 * @param after microseconds a unit in the second version, the median of the rounds
 * @param ratio geometric mean of the ratios of the pairs
 * @param low lower end of the 95 % confidence interval of the ratio
 * @param high upper end
 */
record CostRatio(String contestant, double before, double after, double ratio, double low, double high) {
    static final int PAIRS_MIN = 2;

    /** The 97.5 % quantiles of Student's t distribution, from one degree of freedom on. */
    private static final double[] STUDENT_T = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    static final int PAIRS_MAX = STUDENT_T.length + 1;

    /**
     * The ratio of pairs of costs above 0. Costs vary by factors rather than by amounts, so the interval is that of the
     * logarithms.
     */
    static CostRatio of(String contestant, List<Double> before, List<Double> after) {
        int pairs = before.size();
        double[] logs = new double[pairs];
        double sum = 0;
        for (int i = 0; i < pairs; i++) {
            logs[i] = Math.log(after.get(i) / before.get(i));
            sum += logs[i];
        }
        double mean = sum / pairs;
        double squares = 0;
        for (double log : logs) {
            squares += (log - mean) * (log - mean);
        }
        double margin = STUDENT_T[pairs - 2] * Math.sqrt(squares / (pairs - 1) / pairs);
        return new CostRatio(
                contestant,
                median(before),
                median(after),
                Math.exp(mean),
                Math.exp(mean - margin),
                Math.exp(mean + margin));
    }

    private static double median(List<Double> costs) {
        return Comparison.median(costs.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** True if the whole interval lies above the bound: 0.03 = 3 % more than before. */
    boolean isAbove(double bound) {
        return low > 1 + bound;
    }
}
