package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.SettingsLoader;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The example "GET Object" of "Signature Calculations for the Authorization Header" in Amazon's S3 documentation. */
class S3SignerTest {
    @Test
    void aReadOfAPartIsSignedAsInTheDocumentationOfS3() {
        S3Signer signer = new S3Signer(
                SettingsLoader.defaultsWith(
                                "media.s3.endpoint=https://examplebucket.s3.amazonaws.com",
                                "media.s3.bucket=examplebucket",
                                "media.s3.region=us-east-1",
                                "media.s3.access-key=AKIAIOSFODNN7EXAMPLE",
                                "media.s3.secret-key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
                        .media()
                        .s3(),
                InstantSource.fixed(Instant.parse("2013-05-24T00:00:00Z")));

        MultiMap signed = signer.signed(
                HttpMethod.GET,
                URI.create("https://examplebucket.s3.amazonaws.com/test.txt"),
                Map.of("Range", "bytes=0-9"),
                null);

        assertThat(signed.get("Authorization"))
                .startsWith("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request")
                .endsWith("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    }
}
