package io.fanfare.api.web;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.web.WebFiles;
import java.util.List;
import java.util.stream.Stream;

/** The web client and the pages that can be read without scripts. */
public final class WebFeature implements ApiFeature {
    private final ApiLoop loop;
    private final OembedRoutes oembed;
    private final PageRoutes pages;

    public WebFeature(ApiLoop loop) {
        this.loop = loop;
        this.oembed = new OembedRoutes(loop.publicUrl(), loop.visible(), loop.renderer());
        this.pages = new PageRoutes(
                loop.limits(),
                loop.publicUrl(),
                loop.sessions(),
                loop.accounts(),
                loop.timelines(),
                loop.stores().publicTimelines(),
                loop.visible(),
                loop.renderer(),
                loop.views(),
                loop.pages());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(oembed.endpoints(), pages.endpoints(), WebRoutes.endpoints(WebFiles.load(), loop.pages()))
                .flatMap(List::stream)
                .toList();
    }
}
