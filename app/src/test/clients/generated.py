"""The Python client that openapi-generator makes of /openapi.yaml, in client/fanfare_client: two people sign up with it and use
the server. Of each answer the client must keep all: encoded again it is what the server has sent.

Works with pydantic 1 (generator python-pydantic-v1) and pydantic 2 (generator python).
"""

import base64
import datetime
import importlib
import json
import pkgutil
import sys
import time

import checks
from checks import ANN, BOB, HOST, PASSWORD, check, run

sys.path.insert(0, "client")
import fanfare_client as client  # noqa: E402

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Everybody(client.ApiClient):
    """A client without a token, or with one, which keeps the last answer as it was sent."""

    def __init__(self, token=None):
        super().__init__(client.Configuration(host=f"http://{HOST}", access_token=token and token.access_token))
        send = self.rest_client.request

        def request(*args, **kwargs):
            Everybody.answer = send(*args, **kwargs)
            return Everybody.answer

        self.rest_client.request = request
        for name in "Apps Accounts Relationships Statuses Timelines Notifications Media Lists Filters Articles Instance Search".split():
            setattr(self, name.lower(), getattr(client, f"{name}Api")(self))


def encoded(value):
    return [encoded(one) for one in value] if isinstance(value, list) else value.to_dict()


def whole(call, ask, holds=lambda answer: True):
    """The call answers, and the client has read all of the answer."""
    read = check(call, ask, holds)
    sent = json.loads(Everybody.answer.data)
    check(f"{call}: nothing of {json.dumps(sent)} is lost", lambda: json.loads(json.dumps(encoded(read))), lambda it: it == sent)
    return getattr(read, "actual_instance", read)


def soon(call, ask, holds):
    """check, after some time."""
    end = time.monotonic() + checks.PATIENCE
    while time.monotonic() < end and not holds(ask()):
        time.sleep(0.2)
    return check(call, ask, holds)


def fails(call, ask, status, holds):
    """The call raises this status with an error that the client reads."""

    def refusal():
        try:
            return ask()
        except client.ApiException as refused:
            return refused

    check(call, refusal, lambda it: it.status == status and holds(client.Error.from_json(it.body)))


def everything_imports():
    return [importlib.import_module(module.name) for module in pkgutil.walk_packages(client.__path__, "fanfare_client.")]


def unread():
    """Models without code that reads them: of a schema that others inherit from the generator makes an empty method."""
    names = []
    for name, model in vars(client.models).items():
        if hasattr(model, "from_dict"):
            try:
                if model.from_dict({}) is None:
                    names.append(name)
            except ValueError:  # Something is missing, so it has read.
                pass
    return [name for name in names if not name.endswith("Fields")]


def script():
    check("every module", everything_imports, lambda it: len(it) > 150)
    check("every model reads", unread, lambda it: it == [])
    everybody = Everybody()
    app = whole("create_app", lambda: everybody.apps.create_app(client.NewApp(client_name="generated", redirect_uris="urn:ietf:wg:oauth:2.0:oob", scopes="read write follow")))
    of_app = Everybody(whole("create_token", lambda: everybody.apps.create_token(client.TokenRequest(grant_type="client_credentials", client_id=app.client_id, client_secret=app.client_secret, scope="read write follow"))))
    whole("verify_app", lambda: of_app.apps.verify_app(), lambda it: it.name == "generated")

    def sign_up(name):
        return of_app.accounts.create_account(client.SignUp(username=name, email=f"{name}@example.org", password=PASSWORD, agreement=True))

    one = Everybody(whole("create_account", lambda: sign_up(ANN)))
    two = Everybody(whole("create_account of another", lambda: sign_up(BOB)))
    fails("create_account of a taken name", lambda: sign_up(ANN), 422, lambda it: it.details["username"][0].error == "ERR_TAKEN")

    me = whole("verify_credentials", one.accounts.verify_credentials, lambda it: it.username == ANN and it.source.privacy == "public")
    whole("update_credentials", lambda: one.accounts.update_credentials(client.Profile(display_name="Ann", note="Generated")), lambda it: it.display_name == "Ann")
    whole("show_account", lambda: everybody.accounts.show_account(me.id), lambda it: it.display_name == "Ann")
    whole("follow_account", lambda: two.relationships.follow_account(me.id), lambda it: it.following)
    whole("list_relationships", lambda: two.relationships.list_relationships(id=[me.id]), lambda it: it[0].following)
    whole("list_followers", lambda: one.relationships.list_followers(me.id), lambda it: it[0].username == BOB)

    with open("dot.png", "wb") as file:
        file.write(base64.b64decode(PICTURE))
    picture = whole("create_media", lambda: one.media.create_media("dot.png", description="A dot"), lambda it: it.type == "image")
    words = f"Generated #{ANN} for @{BOB}"
    status = whole("create_status", lambda: one.statuses.create_status(client.NewStatus(status=words, media_ids=[picture.id], spoiler_text="Python")))
    whole("show_status", lambda: everybody.statuses.show_status(status.id), lambda it: "Generated" in it.content and it.mentions[0].username == BOB and it.media_attachments[0].description == "A dot")
    whole("edit_status", lambda: one.statuses.edit_status(status.id, client.StatusWords(status=f"{words}, edited")), lambda it: it.edited_at is not None)
    whole("list_edits", lambda: one.statuses.list_edits(status.id), lambda it: len(it) == 2)
    whole("show_source", lambda: one.statuses.show_source(status.id), lambda it: it.text.endswith("edited"))
    asked = whole("create_status with a poll", lambda: one.statuses.create_status(client.NewStatus(status="Which?", poll=client.NewStatusPoll(options=["this", "that"], expires_in=3600))))
    whole("vote_poll", lambda: two.statuses.vote_poll(asked.poll.id, client.Vote(choices=[1])), lambda it: it.voted and it.options[1].votes_count == 1)
    at = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)).isoformat()
    later = whole("create_status for later", lambda: one.statuses.create_status(client.NewStatus(status="Later", in_reply_to_id=status.id, scheduled_at=at)))
    whole("show_scheduled_status", lambda: one.statuses.show_scheduled_status(later.id), lambda it: it.params.text == "Later" and it.params.in_reply_to_id == int(status.id))
    whole("create_article", lambda: one.articles.create_article(client.NewArticle(title="Generated", link="https://example.org/")), lambda it: it.article.title == "Generated")

    whole("favourite_status", lambda: two.statuses.favourite_status(status.id), lambda it: it.favourited and it.favourites_count == 1)
    whole("reblog_status", lambda: two.statuses.reblog_status(status.id), lambda it: it.reblog.id == status.id)
    whole("create_status that quotes", lambda: two.statuses.create_status(client.NewStatus(status="As said", quoted_status_id=status.id)), lambda it: it.actual_instance.quote.to_dict()["state"] == "accepted")
    whole("create_status that replies", lambda: two.statuses.create_status(client.NewStatus(status=f"@{ANN} Hello", in_reply_to_id=status.id)))
    whole("create_status to one", lambda: two.statuses.create_status(client.NewStatus(status=f"@{ANN} Psst", visibility="direct")))
    soon("show_context has the reply", lambda: one.statuses.show_context(status.id), lambda it: len(it.descendants) == 1)
    whole("show_context", lambda: one.statuses.show_context(status.id))

    soon("show_home has all", two.timelines.show_home, lambda it: status.id in [one.id for one in it] and any(one.article for one in it))
    whole("show_home", two.timelines.show_home)
    soon("list_notifications has all", one.notifications.list_notifications, lambda it: {"favourite", "follow", "mention", "quote", "reblog"} <= {one.type for one in it})
    whole("list_notifications", one.notifications.list_notifications)
    whole("list_grouped_notifications", one.notifications.list_grouped_notifications, lambda it: it.notification_groups)
    soon("list_conversations has one", one.statuses.list_conversations, lambda it: len(it) == 1)
    whole("list_conversations", one.statuses.list_conversations)
    whole("show_public", everybody.timelines.show_public, lambda it: it)
    whole("show_tag", lambda: everybody.timelines.show_tag(ANN), lambda it: it[0].id == status.id)
    whole("list_account_statuses", lambda: two.timelines.list_account_statuses(me.id), lambda it: len(it) > 1)
    whole("search", lambda: two.search.search(ANN), lambda it: it.accounts[0].id == me.id and it.hashtags[0].name == ANN)
    whole("set_markers", lambda: one.timelines.set_markers(client.ReadUpTo(home=client.ReadUpToHome(last_read_id=status.id))), lambda it: it.home.last_read_id == status.id)
    whole("create_list", lambda: two.lists.create_list(client.NewList(title="Generated", replies_policy="none")), lambda it: it.replies_policy == "none")
    whole("create_filter", lambda: two.filters.create_filter(client.NewFilter(title="Generated", context=["home"], keywords_attributes=[client.NewFilterKeywordsAttributesInner(keyword="edited")])), lambda it: it.expires_at is None and it.keywords[0].keyword == "edited")
    whole("show_status that a filter matches", lambda: two.statuses.show_status(status.id), lambda it: it.filtered[0].keyword_matches == ["edited"])
    whole("show_instance", everybody.instance.show_instance)
    whole("show_instance_v2", everybody.instance.show_instance_v2, lambda it: it.api_versions.mastodon >= 7)

    whole("delete_status", lambda: one.statuses.delete_status(status.id), lambda it: it.text.endswith("edited"))
    fails("show_status of what is gone", lambda: two.statuses.show_status(status.id), 404, lambda it: it.error.startswith("Record not found"))
    fails("verify_credentials without a token", everybody.accounts.verify_credentials, 401, lambda it: "token" in it.error)
    fails("create_status without words", lambda: one.statuses.create_status(client.NewStatus(status="")), 422, lambda it: it.details["text"][0].error == "ERR_BLANK")


run(script)
