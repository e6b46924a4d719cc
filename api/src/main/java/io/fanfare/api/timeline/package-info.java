/** The pages of homes, profiles, lists and public timelines. */
package io.fanfare.api.timeline;
