/** Uploads of pictures, video and sound, profile pictures and custom emojis. */
package io.fanfare.api.media;
