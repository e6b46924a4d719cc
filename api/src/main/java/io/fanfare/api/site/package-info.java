/** Rules, texts and announcements of operators: their operations, and their pages without scripts. */
package io.fanfare.api.site;
