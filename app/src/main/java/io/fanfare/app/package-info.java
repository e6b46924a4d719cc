/** The composition root: the one class with a main method, and the sub-commands behind it. */
package io.fanfare.app;
