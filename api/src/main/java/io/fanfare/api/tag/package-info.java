/** Hashtags: featured, followed and trending ones. */
package io.fanfare.api.tag;
