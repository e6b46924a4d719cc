"""Drives Mastodon.py (Debian's python3-mastodon) through the calls that Fanfare has routes for, and checks what they answer.

Its use is in checks.py.
"""

import base64
import queue
import struct
import time
import urllib.request
import zlib

from mastodon import (
    Mastodon,
    MastodonAPIError,
    MastodonIllegalArgumentError,
    MastodonNotFoundError,
    MastodonUnauthorizedError,
    StreamListener,
)

from checks import ANN, BOB, HOST, PASSWORD, PATIENCE, check, refused, run

URL = "http://" + HOST
SCOPES = ["read", "write", "follow"]
TAG = "py_" + ANN.lower()  # The users are new, and so is what only they speak of.


def soon(call, ask, holds):
    """check, after some time."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if holds(ask()):
                break
        except Exception:
            pass
        time.sleep(0.2)
    return check(call, ask, holds)


def ids(things):
    return [thing.id for thing in things]


class Heard(StreamListener):
    """Keeps what a stream says."""

    def __init__(self):
        self.events = queue.Queue()
        self.all = []

    def heard(self, event):
        self.all.append(event)
        self.events.put(event)

    def on_update(self, status):
        self.heard(("update", status.id))

    def on_status_update(self, status):
        self.heard(("status.update", status.id))

    def on_delete(self, status_id):
        self.heard(("delete", status_id))

    def on_notification(self, notification):
        self.heard(("notification", notification.type))

    def wait_for(self, event):
        """Whether it is said before patience ends; what is said before it is passed over."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.events.get(timeout=0.2) == event:
                    return True
            except queue.Empty:
                pass
        return False


def log_in():
    """Registers an app and logs both users in: the one by name, the other by address."""
    client_id, client_secret = check(
        "create_app", lambda: Mastodon.create_app("conformance", scopes=SCOPES, api_base_url=URL)
    )

    def client():
        return Mastodon(client_id=client_id, client_secret=client_secret, api_base_url=URL, ratelimit_method="throw")

    ann, bob = client(), client()
    refused("log_in with a wrong password", lambda: client().log_in(ANN, "wrong password", scopes=SCOPES), MastodonIllegalArgumentError)
    check("log_in by address", lambda: ann.log_in(ANN + "@example.org", PASSWORD, scopes=SCOPES), lambda token: token)
    check("log_in by name", lambda: bob.log_in(BOB, PASSWORD, scopes=SCOPES), lambda token: token)
    check("app_verify_credentials", ann.app_verify_credentials, lambda app: app.name == "conformance")
    return ann, bob


def instance(ann):
    check("retrieve_mastodon_version", ann.retrieve_mastodon_version, lambda version: version.startswith("4.5.0"))
    check("verify_minimum_version", lambda: ann.verify_minimum_version("4.0.0"), lambda enough: enough)
    check("instance", ann.instance, lambda it: it.uri == HOST and it.stats.user_count >= 2 and it.configuration.statuses.max_characters == 500)
    check("instance_health", ann.instance_health, lambda healthy: healthy is True)
    check("instance_nodeinfo", ann.instance_nodeinfo, lambda info: info.software.name == "fanfare" and info.protocols is not None)
    for call in (
        "instance_peers instance_rules custom_emojis announcements filters lists endorsements featured_tags follow_requests "
        "domain_blocks conversations scheduled_statuses trending_statuses trending_links"
    ).split():
        check(call, getattr(ann, call), lambda answer: list(answer) == [])
    check("instance_activity", ann.instance_activity, lambda weeks: len(weeks) == 12 and weeks[0].registrations + weeks[1].registrations >= 2)
    check("trending_tags", ann.trending_tags, lambda tags: all(len(tag.history) == 7 for tag in tags))
    check("directory", lambda: ann.directory(order="new"), lambda found: BOB in [one.acct for one in found])
    check("suggestions", ann.suggestions, lambda found: all(one.id for one in found))
    check("preferences", ann.preferences, lambda all: all["posting:default:visibility"] == "public")
    check("markers_set", lambda: ann.markers_set("home", [1000]), lambda it: str(it["home"].last_read_id) == "1000" and it["home"].version == 1)
    check("markers_get", lambda: ann.markers_get(["home", "notifications"]), lambda it: list(it) == ["home"] and str(it["home"].last_read_id) == "1000")
    refused("push_subscription", ann.push_subscription, MastodonAPIError)
    refused("poll", lambda: ann.poll(1), MastodonNotFoundError)


def people(ann, bob):
    me = check("me", ann.me, lambda it: it.username == ANN and it.source.privacy == "public" and it.created_at.tzinfo is not None)
    other = check("account_verify_credentials", bob.account_verify_credentials, lambda it: it.acct == BOB)
    check("account", lambda: ann.account(other.id), lambda it: it.username == BOB)
    check("account_lookup", lambda: ann.account_lookup(BOB), lambda it: it.id == other.id)
    check("account_search", lambda: ann.account_search(BOB), lambda found: ids(found)[0] == other.id)
    check("search_v2", lambda: ann.search_v2(BOB, result_type="accounts"), lambda found: ids(found.accounts)[0] == other.id)
    check("search by URL", lambda: ann.search(other.url), lambda found: ids(found.accounts) == [other.id])
    refused("account of nobody", lambda: ann.account(1), MastodonNotFoundError)
    refused("me without a token", Mastodon(api_base_url=URL).me, MastodonUnauthorizedError)

    check(
        "account_update_credentials",
        lambda: ann.account_update_credentials(display_name="Ann of Py", note="Writes <scripts>", fields=[("Tool", "Mastodon.py")]),
        lambda it: it.display_name == "Ann of Py" and it.source.note == "Writes <scripts>" and it.fields[0].value == "Mastodon.py",
    )
    check("account_follow", lambda: bob.account_follow(me.id), lambda it: it.following and not it.requested)
    check("account_relationships", lambda: ann.account_relationships([other.id]), lambda all: all[0].followed_by and not all[0].following)
    check("account_followers", lambda: ann.account_followers(me.id), lambda all: ids(all) == [other.id])
    check("account_following", lambda: ann.account_following(other.id), lambda all: ids(all) == [me.id])
    check("account_familiar_followers", lambda: ann.account_familiar_followers([other.id]), lambda all: ids(all) == [other.id])
    check("account_search following", lambda: bob.account_search(ANN, following=True), lambda found: ids(found) == [me.id])
    return me, other


def png(width, height):
    """A red picture."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = (b"\0" + b"\xff\0\0" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def pictures(ann, bob):
    media = check(
        "media_post",
        lambda: ann.media_post(png(640, 480), "image/png", description="red", focus=(0.5, -0.5)),
        lambda it: it.type == "image" and it.description == "red" and it.meta.original.width == 640 and it.meta.focus.y == -0.5,
    )
    check("media", lambda: ann.media(media), lambda it: it.id == media.id)
    check("media_update", lambda: ann.media_update(media, description="all red"), lambda it: it.description == "all red")
    check(
        "media_post with a thumbnail",
        lambda: ann.media_post(png(64, 48), "image/png", thumbnail=png(20, 10), thumbnail_mime_type="image/png"),
        lambda it: it.meta.original.width == 64 and it.meta.small.width == 20,
    )
    media = check(
        "media_update with a thumbnail",
        lambda: ann.media_update(media, thumbnail=png(30, 10), thumbnail_mime_type="image/png"),
        lambda it: it.id == media.id and it.meta.small.width == 30 and it.description == "all red" and it.preview_url != media.preview_url,
    )
    posted = check(
        "status_post with a picture alone",
        lambda: ann.status_post("", media_ids=[media]),
        lambda it: it.media_attachments[0].id == media.id and it.media_attachments[0].description == "all red",
    )
    check("status with a picture", lambda: bob.status(posted), lambda it: it.media_attachments[0].url == media.url)
    check("account_statuses only_media", lambda: bob.account_statuses(ann.me(), only_media=True), lambda it: ids(it) == [posted.id])
    check("the file", lambda: urllib.request.urlopen(media.url), lambda it: it.headers["Content-Type"] == "image/png" and it.status == 200)
    large = check(
        "media_post of a large picture",
        lambda: ann.media_post(png(4000, 3000), "image/png", description="large"),
        lambda it: it.url is None and it.type == "image" and it.description == "large",
    )
    large = soon("media until it is ready", lambda: ann.media(large), lambda it: it.url is not None and it.meta.original.width == 3325)
    check("status_post with a large picture", lambda: ann.status_post("", media_ids=[large]), lambda it: it.media_attachments[0].url == large.url)
    check(
        "media_post synchronous",
        lambda: ann.media_post(png(4000, 3000), "image/png", synchronous=True),
        lambda it: it.url is not None and it.meta.original.height == 2494,
    )
    refused("status_post with a picture that is posted", lambda: ann.status_post("again", media_ids=[media]), MastodonAPIError)
    refused("media_post of no picture", lambda: ann.media_post(b"<html>", "image/png"), MastodonAPIError)
    check(
        "account_update_credentials avatar",
        lambda: ann.account_update_credentials(avatar=png(40, 20), avatar_mime_type="image/png", header=png(90, 30), header_mime_type="image/png"),
        lambda it: "/media/" in it.avatar and "/media/" in it.header,
    )
    other = ann.media_post(png(8, 8), "image/png")
    check(
        "status_update with other pictures",
        lambda: ann.status_update(posted, "now two", media_ids=[other, media]),
        lambda it: ids(it.media_attachments) == [other.id, media.id],
    )
    check("status_update with one of them", lambda: ann.status_update(posted, "now one", media_ids=[other]), lambda it: ids(it.media_attachments) == [other.id])
    check("media of what an edit took out", lambda: ann.media(media), lambda it: it.url == media.url)
    check("status_delete with a picture", lambda: ann.status_delete(posted))


# VP8: 32 x 24, a second of five red frames.
WEBM = base64.b64decode(
    "GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAAIdEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtTrIHGTbuMU6uEElTDZ1OsggEMTbuMU6uEHFO7a1OsggIH7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBNgIRMYXZmV0GETGF2ZkSJiECPQAAAAAAAFlSua8GuAQAAAAAAADjXgQFzxYgAAAAAAAAAAZyBACK1nIN1bmSIgQCGhVZfVlA4g4EBI+ODhAvrwgDgibCBILqBGJqBAhJUw2fRc3POY8CLY8WIAAAAAAAAAAFnyJhFo4dFTkNPREVSRIeLTGF2YyBsaWJ2cHhnyKJFo4hEVVJBVElPTkSHlDAwOjAwOjAxLjAwMDAwMDAwMAAAH0O2dUCf54EAo76BAACAEAMAnQEqIAAYAABHCIWFiIWEiAICAnWqA/gD+gIIWQy9AP79bvP/45k3MMT/jm3/8WE8DijI//FRAKOVgQDIALEBAAEQEAAYABhYL/QACHAAo5WBAZAAsQEAARAQABgAGFgv9AAIcACjlYECWACxAQABEBAAGAAYWC/0AAhwAKOVgQMgALEBAAEQEAAYABhYL/QACHAAHFO7a5G7j7OBALeK94EB8YIBYvCBAw=="
)


def clips(ann, bob):
    """A video and a sound, which the library knows to wait for."""
    video = check(
        "media_post of a video",
        lambda: ann.media_post(WEBM, "video/webm", description="red, for a second", synchronous=True),
        lambda it: it.type == "video" and it.meta.original.width == 32 and it.meta.original.duration == 1 and it.meta.original.frame_rate == "5/1",
    )
    posted = check(
        "status_post with a video",
        lambda: ann.status_post("Look", media_ids=[video]),
        lambda it: it.media_attachments[0].type == "video" and it.media_attachments[0].description == "red, for a second",
    )
    check("status with a video", lambda: bob.status(posted), lambda it: it.media_attachments[0].url == video.url)
    check("the file of a video", lambda: urllib.request.urlopen(video.url), lambda it: it.headers["Content-Type"] == "video/webm" and it.read() == WEBM)
    wave = b"RIFF" + struct.pack("<I", 8036) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8) + b"data" + struct.pack("<I", 8000) + bytes(8000)
    sound = check("media_post of a sound", lambda: ann.media_post(wave, "audio/x-wav"), lambda it: it.type == "audio" and it.meta.original.duration == 1 and it.preview_url is None)
    picture = ann.media_post(png(9, 9), "image/png")
    refused("status_post with a sound and a picture", lambda: ann.status_post("both", media_ids=[sound, picture]), MastodonAPIError)
    check("status_delete with a video", lambda: ann.status_delete(posted))


def statuses(ann, bob, me):
    first = check(
        "status_post",
        lambda: ann.status_post("Hello from #" + TAG.upper(), language="en", spoiler_text="greeting", sensitive=True, visibility="public"),
        lambda it: it.spoiler_text == "greeting" and it.sensitive and it.language == "en" and it.tags[0].name.lower() == TAG,
    )
    check("status_post again", lambda: ann.status_post("Only once", idempotency_key="once"))
    check(
        "status_post with the same key",
        lambda: [ann.status_post("Only once", idempotency_key="once").id, ann.account_statuses(me.id)[0].id],
        lambda two: two[0] == two[1],
    )
    whisper = check("status_post direct", lambda: ann.status_post("@%s for you alone" % BOB, visibility="direct"), lambda it: it.visibility == "direct")
    talks = check("conversations of bob", bob.conversations, lambda all: len(all) == 1 and all[0].unread and all[0].last_status.id == whisper.id)
    check("conversations_read", lambda: bob.conversations_read(talks[0].id), lambda it: not it.unread)
    check("status_delete direct", lambda: ann.status_delete(whisper.id))
    check("conversations of nobody", bob.conversations, lambda all: len(all) == 0)
    refused("status_post of nothing", lambda: ann.status_post(""), MastodonAPIError)
    private = check("status_post private", lambda: ann.status_post("Followers only", visibility="private"), lambda it: it.visibility == "private")
    check("status", lambda: bob.status(first.id), lambda it: it.account.id == me.id and "Hello" in it.content and it.created_at.tzinfo is not None)
    reply = check("status_reply", lambda: bob.status_reply(first, "Hello yourself"), lambda it: it.in_reply_to_id == first.id and it.mentions[0].acct == ANN)
    check("status_reblog private", lambda: ann.status_reblog(private.id, visibility="private"), lambda it: it.reblog.id == private.id)
    check("status_reblogged_by without private ones", lambda: ann.status_reblogged_by(private.id), lambda all: list(all) == [])
    check("status_unreblog private", lambda: ann.status_unreblog(private.id), lambda it: not it.reblogged)
    check("status_context", lambda: ann.status_context(first.id), lambda it: ids(it.descendants) == [reply.id] and it.ancestors == [])
    check("status_context of the reply", lambda: ann.status_context(reply.id), lambda it: ids(it.ancestors) == [first.id])

    check("status_favourite", lambda: bob.status_favourite(first.id), lambda it: it.favourited and it.favourites_count == 1)
    check("status_favourited_by", lambda: ann.status_favourited_by(first.id), lambda all: [one.acct for one in all] == [BOB])
    check("favourites", bob.favourites, lambda all: ids(all) == [first.id])
    repost = check("status_reblog", lambda: bob.status_reblog(first.id), lambda it: it.reblog.id == first.id and it.reblog.reblogged)
    check("status_reblogged_by", lambda: ann.status_reblogged_by(first.id), lambda all: [one.acct for one in all] == [BOB])
    check("status after reblog", lambda: ann.status(first.id), lambda it: it.reblogs_count == 1 and it.replies_count == 1)
    check("status_history of what was not edited", lambda: bob.status_history(first.id), lambda all: len(all) == 1)
    check(
        "status_update",
        lambda: ann.status_update(first.id, status="Hello again from #" + TAG.upper(), spoiler_text="greeting"),
        lambda it: it.id == first.id and "again" in it.content and it.edited_at is not None and it.sensitive and it.language == "en" and it.reblogs_count == 1,
    )
    check("status of the edited one", lambda: bob.status(first.id), lambda it: "again" in it.content and it.edited_at > it.created_at)
    check("status of its repost", lambda: bob.status(repost.id), lambda it: "again" in it.reblog.content)
    check("status_source", lambda: ann.status_source(first.id), lambda it: it.text.startswith("Hello again") and it.spoiler_text == "greeting")
    check("status_source of somebody else's", lambda: bob.status_source(first.id), lambda it: it.text.startswith("Hello again"))
    check("status_history", lambda: bob.status_history(first.id), lambda all: ["again" in one.content for one in all] == [False, True])
    refused("status_update of somebody else's", lambda: bob.status_update(first.id, status="Mine"), MastodonNotFoundError)
    soon("notifications of the edit", lambda: bob.notifications(types=["update"]), lambda all: [one.status.id for one in all] == [first.id])
    check("status_bookmark", lambda: bob.status_bookmark(first.id), lambda it: it.bookmarked)
    check("bookmarks", bob.bookmarks, lambda all: ids(all) == [first.id])
    check("search status by URL", lambda: bob.search(first.url), lambda found: ids(found.statuses) == [first.id])

    soon("timeline_home", bob.timeline_home, lambda all: {first.id, private.id} <= set(ids(all)))
    soon("timeline_public", bob.timeline_public, lambda all: first.id in ids(all) and private.id not in ids(all))
    soon("timeline_local", bob.timeline_local, lambda all: first.id in ids(all))
    soon("timeline_hashtag", lambda: bob.timeline_hashtag(TAG), lambda all: ids(all) == [first.id])
    check("account_statuses", lambda: bob.account_statuses(me.id), lambda all: first.id in ids(all))
    check("account_statuses without reblogs", lambda: ann.account_statuses(bob.me().id, exclude_reblogs=True), lambda all: repost.id not in ids(all))
    check("account_statuses pinned", lambda: ann.account_statuses(me.id, pinned=True), lambda all: list(all) == [])

    check("status_unfavourite", lambda: bob.status_unfavourite(first.id), lambda it: not it.favourited and it.favourites_count == 0)
    check("status_unreblog", lambda: bob.status_unreblog(first.id), lambda it: not it.reblogged)
    check("status_unbookmark", lambda: bob.status_unbookmark(first.id), lambda it: not it.bookmarked)
    check("status_delete", lambda: ann.status_delete(private.id), lambda it: it.text == "Followers only")
    refused("status of a deleted one", lambda: ann.status(private.id), MastodonNotFoundError)
    refused("status_delete of somebody else's", lambda: bob.status_delete(first.id), MastodonAPIError)
    return first


def lists(bob, me, first):
    made = check("list_create", lambda: bob.list_create("Friends"), lambda it: it.title == "Friends")
    check("list", lambda: bob.list(made.id), lambda it: it.id == made.id)
    check("list_update", lambda: bob.list_update(made.id, "Best friends"), lambda it: it.title == "Best friends")
    check("list_accounts_add", lambda: bob.list_accounts_add(made.id, [me.id]))
    check("list_accounts", lambda: bob.list_accounts(made.id), lambda all: ids(all) == [me.id])
    check("account_lists", lambda: bob.account_lists(me.id), lambda all: ids(all) == [made.id])
    check("timeline_list", lambda: bob.timeline_list(made.id), lambda all: first.id in ids(all))
    check("list_accounts_delete", lambda: bob.list_accounts_delete(made.id, [me.id]))
    check("list_accounts of none", lambda: bob.list_accounts(made.id), lambda all: all == [])
    check("list_delete", lambda: bob.list_delete(made.id))


def filters(bob):
    old = check("filter_create", lambda: bob.filter_create("owl", ["home"]), lambda it: it.phrase == "owl")
    check("filters", bob.filters, lambda all: ids(all) == [old.id])
    check("filter", lambda: bob.filter(old.id), lambda it: it.phrase == "owl")
    check("filter_update", lambda: bob.filter_update(old.id, phrase="jay"), lambda it: it.phrase == "jay")
    check("filter_delete", lambda: bob.filter_delete(old.id))


def notifications(ann, bob):
    def kinds(all):
        return {one.type for one in all}

    all = soon("notifications", ann.notifications, lambda all: {"follow", "mention"} <= kinds(all))
    check("notifications exclude_types", lambda: ann.notifications(exclude_types=["follow"]), lambda all: "follow" not in kinds(all) and all)
    check("notifications types", lambda: ann.notifications(types=["follow"]), lambda all: kinds(all) == {"follow"})
    check("notification by id", lambda: ann.notifications(id=all[0].id), lambda one: one.id == all[0].id and one.account.acct == BOB)
    check("notifications_dismiss", lambda: ann.notifications_dismiss(all[0].id))
    check("notifications without the dismissed", ann.notifications, lambda left: all[0].id not in ids(left))
    check("notifications_clear", ann.notifications_clear)
    check("notifications when cleared", ann.notifications, lambda left: list(left) == [])


def paging(ann, bob, me):
    posted = ids([ann.status_post(f"number {number}", visibility="unlisted") for number in range(12)])[::-1]
    soon("timeline_home of twelve", lambda: bob.timeline_home(limit=12), lambda page: ids(page) == posted)
    page = check("account_statuses limit", lambda: bob.account_statuses(me.id, limit=5), lambda page: ids(page) == posted[:5])
    older = check("fetch_next", lambda: bob.fetch_next(page), lambda page: ids(page) == posted[5:10])
    check("fetch_previous", lambda: bob.fetch_previous(older), lambda page: ids(page) == posted[:5])
    check("fetch_previous of the newest", lambda: bob.fetch_previous(page), lambda newer: not newer)
    everything = check("fetch_remaining", lambda: bob.fetch_remaining(bob.account_statuses(me.id, limit=5)), lambda all: ids(all)[:12] == posted)
    check("fetch_remaining repeats nothing", lambda: ids(everything), lambda all: len(all) == len(set(all)))
    check("timeline_home max_id", lambda: bob.timeline_home(max_id=posted[3], limit=2), lambda page: ids(page) == posted[4:6])
    check("timeline_home min_id", lambda: bob.timeline_home(min_id=posted[6], limit=2), lambda page: ids(page) == posted[4:6])
    check("timeline_home since_id", lambda: bob.timeline_home(since_id=posted[3]), lambda page: ids(page) == posted[:3])
    home = check("timeline_home", lambda: bob.timeline_home(limit=4), lambda page: ids(page) == posted[:4])
    check("fetch_remaining of the home", lambda: bob.fetch_remaining(home), lambda all: ids(all)[:12] == posted)
    for status in posted[:6]:
        bob.status_favourite(status)
    liked = check("favourites limit", lambda: bob.favourites(limit=2), lambda page: ids(page) == posted[:6][::-1][:2])
    check("fetch_remaining of favourites", lambda: bob.fetch_remaining(liked), lambda all: ids(all) == posted[:6][::-1])
    soon("notifications of likes", ann.notifications, lambda all: len(all) >= 6)
    page = check("notifications limit", lambda: ann.notifications(limit=2), lambda page: len(page) == 2)
    check("fetch_remaining of notifications", lambda: ann.fetch_remaining(page), lambda all: len(set(ids(all))) >= 6)


def stream(ann, bob):
    check("stream_healthy", bob.stream_healthy, lambda healthy: healthy)
    streams = {
        "stream_user": bob.stream_user,
        "stream_public": bob.stream_public,
        "stream_local": bob.stream_local,
        "stream_hashtag": lambda listener, **how: bob.stream_hashtag(TAG, listener, **how),
    }
    heard = {call: Heard() for call in streams}
    handles = [check(call, lambda: open_(heard[call], run_async=True, timeout=60)) for call, open_ in streams.items()]
    end = time.monotonic() + PATIENCE
    while not all(handle.is_receiving() for handle in handles) and time.monotonic() < end:
        time.sleep(0.05)
    secret = ann.status_post("Live for followers #" + TAG, visibility="private")
    status = ann.status_post("Live #" + TAG, visibility="public")
    check("stream_user of a private status", lambda: heard["stream_user"].wait_for(("update", secret.id)), lambda came: came)
    for call in streams:
        check(call + " update", lambda: heard[call].wait_for(("update", status.id)), lambda came: came)
    ann.status_update(status.id, status="Better #" + TAG)
    for call in streams:
        check(call + " edit", lambda: heard[call].wait_for(("status.update", status.id)), lambda came: came)
    ann.status_delete(status.id)  # Not before all have heard of it: what is deleted is not sent any more.
    for call in streams:
        check(call + " delete", lambda: heard[call].wait_for(("delete", status.id)), lambda came: came)
        if call != "stream_user":
            check(call + " without the private status", lambda: ("update", secret.id) in heard[call].all, lambda came: not came)
    ann.status_post("Hello @" + bob.me().username, visibility="unlisted")
    check("stream_user notification", lambda: heard["stream_user"].wait_for(("notification", "mention")), lambda came: came)
    return handles  # To close one waits until the server says something next.


def quiet(ann, bob, me, other, first, handles):
    check("account_mute", lambda: bob.account_mute(me.id, notifications=False), lambda it: it.muting and not it.muting_notifications)
    check("mutes", bob.mutes, lambda all: ids(all) == [me.id])
    check("timeline_home of a muted", bob.timeline_home, lambda all: first.id not in ids(all))
    check("account_unmute", lambda: bob.account_unmute(me.id), lambda it: not it.muting)
    check("account_block", lambda: ann.account_block(other.id), lambda it: it.blocking and not it.followed_by)
    check("blocks", ann.blocks, lambda all: ids(all) == [other.id])
    refused("status of who blocks me", lambda: bob.status(first.id), MastodonNotFoundError)
    check("account_unblock", lambda: ann.account_unblock(other.id), lambda it: not it.blocking)
    check("account_unfollow", lambda: bob.account_unfollow(me.id), lambda it: not it.following)
    check("revoke_access_token", bob.revoke_access_token)
    soon("streams end with their token", lambda: [handle.is_alive() for handle in handles], lambda alive: not any(alive))


def polls(ann, bob):
    made = ann.make_poll(["this", "that"], 300, hide_totals=True)
    asked = check("status_post with make_poll", lambda: ann.status_post("Which?", poll=made, visibility="private"), lambda it: it.poll.voted and not it.poll.expired)
    check("poll", lambda: bob.poll(asked.poll), lambda it: it.options[0].title == "this" and it.options[0].votes_count is None and not it.voted)
    check("poll_vote", lambda: bob.poll_vote(asked.poll, [1]))
    check("poll with a vote", lambda: bob.poll(asked.poll), lambda it: it.own_votes == [1] and it.voters_count == 1)
    refused("poll_vote again", lambda: bob.poll_vote(asked.poll, 0), MastodonAPIError)
    check("status_delete with a poll", lambda: ann.status_delete(asked.id))
    made = ann.make_poll(["this", "that", "both"], 300, multiple=True)
    asked = check("status_post with a poll of several", lambda: ann.status_post("Which ones?", poll=made), lambda it: it.poll.multiple)
    check("poll_vote for several", lambda: bob.poll_vote(asked.poll, [2, 0]))
    check("poll with votes in their order", lambda: bob.poll(asked.poll), lambda it: it.own_votes == [2, 0])
    check("status_delete with a poll of several", lambda: ann.status_delete(asked.id))


def main():
    ann, bob = log_in()
    instance(ann)
    me, other = people(ann, bob)
    pictures(ann, bob)
    clips(ann, bob)
    first = statuses(ann, bob, me)
    lists(bob, me, first)
    filters(bob)
    polls(ann, bob)
    notifications(ann, bob)
    paging(ann, bob, me)
    handles = stream(ann, bob)
    quiet(ann, bob, me, other, first, handles)


run(main)
