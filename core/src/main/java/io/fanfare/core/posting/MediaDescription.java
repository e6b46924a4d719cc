package io.fanfare.core.posting;

import io.fanfare.common.model.Attachment;

/**
 * A change of the description or the focus of a picture.
 *
 * @param id of the upload or attachment
 * @param text null = as before, empty = none
 * @param focus null = as before
 */
public record MediaDescription(long id, String text, Attachment.Focus focus) {}
