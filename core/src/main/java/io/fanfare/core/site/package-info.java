/**
 * Rules, texts and announcements that operators publish, the copy of them that each event loop keeps, and dismissals.
 */
package io.fanfare.core.site;
