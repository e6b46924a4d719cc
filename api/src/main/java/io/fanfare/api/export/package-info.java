/**
 * Exports of an account: its lists as CSV files, and all its data as one archive. Everything is made as it is taken, a
 * page at a time, so that memory does not grow with the account. To add a list, add a constant to
 * {@link io.fanfare.api.export.CsvExports.File}.
 */
@CheckReturnValue
package io.fanfare.api.export;

import com.google.errorprone.annotations.CheckReturnValue;
