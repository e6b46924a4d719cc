package io.fanfare.api.feature;

import io.fanfare.api.endpoint.Call;
import io.fanfare.common.model.Refusal;
import io.fanfare.media.PictureUse;
import io.fanfare.server.http.UploadedFile;
import io.vertx.core.Future;

/** Makes pictures for profiles of the files of requests. */
@FunctionalInterface
public interface ProfilePictures {
    /** For a build without uploads: refuses every picture. */
    ProfilePictures NONE = (call, file, use) -> Future.failedFuture(new Refusal(
            Refusal.Reason.INVALID, "This server takes no pictures: send the profile without avatar and header."));

    /** Makes a picture: the name of its file, which is deleted in a day unless the account takes it. */
    Future<String> profile(Call call, UploadedFile file, PictureUse use);
}
