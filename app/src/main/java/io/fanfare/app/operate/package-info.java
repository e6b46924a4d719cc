/**
 * What an operator asks and does: the same for {@code fanfare admin} and for the console, which differ in how they show
 * it. Reports are JSON for both.
 */
package io.fanfare.app.operate;
