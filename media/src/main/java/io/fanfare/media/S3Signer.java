package io.fanfare.media;

import io.fanfare.common.settings.Settings;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Signs requests as version 4 of the signatures of AWS says, their bodies included. Safe for every thread. */
final class S3Signer {
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final AwsCredentialsIdentity identity;
    private final String region;
    private final InstantSource clock;

    S3Signer(Settings.S3 settings, InstantSource clock) {
        this.identity = AwsCredentialsIdentity.create(
                settings.accessKey(), settings.secretKey().reveal());
        this.region = settings.region();
        this.clock = clock;
    }

    /**
     * The headers of a request, with those that sign it.
     *
     * @param bodyOrNull file that is sent, which the call reads whole; null = none, and the call does not block
     */
    MultiMap signed(HttpMethod method, URI address, Map<String, String> headers, Path bodyOrNull) {
        SdkHttpRequest.Builder request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.fromValue(method.name()))
                .uri(address);
        headers.forEach(request::putHeader);
        SdkHttpRequest unsigned = request.build();
        SignedRequest signed = signer.sign(sign -> sign.identity(identity)
                .request(unsigned)
                .payload(bodyOrNull == null ? null : stream(bodyOrNull))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(clock.instant(), ZoneOffset.UTC)));
        MultiMap all = MultiMap.caseInsensitiveMultiMap();
        signed.request().headers().forEach((name, values) -> {
            // The client of HTTP writes the same one.
            if (!name.equalsIgnoreCase("Host")) {
                all.add(name, values);
            }
        });
        return all;
    }

    private static ContentStreamProvider stream(Path file) {
        return () -> {
            try {
                return Files.newInputStream(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }
}
