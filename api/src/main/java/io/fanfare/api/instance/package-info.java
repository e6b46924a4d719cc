/** Facts about the server: its statistics, and whether it accepts sign-ups. */
package io.fanfare.api.instance;
