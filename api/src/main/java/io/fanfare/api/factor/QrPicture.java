package io.fanfare.api.factor;

import io.nayuki.qrcodegen.QrCode;

/**
 * A QR code as the outline of its dark modules: the value of the attribute {@code d} of an SVG path, which a page can
 * draw without making markup of a text.
 *
 * @param size modules of each side, with the margin
 */
record QrPicture(int size, String path) {
    /** Light modules around the code (ISO/IEC 18004, 9.1). */
    private static final int MARGIN = 4;

    static QrPicture of(String text) {
        QrCode code = QrCode.encodeText(text, QrCode.Ecc.MEDIUM);
        StringBuilder path = new StringBuilder();
        for (int y = 0; y < code.size; y++) {
            int x = 0;
            while (x < code.size) {
                int end = x;
                while (end < code.size && code.getModule(end, y)) {
                    end++;
                }
                if (end > x) {
                    path.append('M').append(x + MARGIN).append(' ').append(y + MARGIN);
                    path.append('h')
                            .append(end - x)
                            .append("v1h-")
                            .append(end - x)
                            .append('z');
                }
                x = Math.max(end, x + 1);
            }
        }
        return new QrPicture(code.size + 2 * MARGIN, path.toString());
    }
}
