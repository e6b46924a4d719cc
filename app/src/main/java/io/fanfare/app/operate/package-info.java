/**
 * Reports and actions for operators. {@code fanfare admin} and the console share them and differ only in the
 * presentation. Reports are JSON for both.
 */
package io.fanfare.app.operate;
