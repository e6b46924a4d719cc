"""What the scripts of clients of Twitter's API v1.1 share.

Both clients know one server, https://stream.twitter.com, and OAuth 1. Their sessions are those of requests, which sends
what is meant for that server to Fanfare instead, with the user's name and access token by HTTP Basic.
Their use is in checks.py.
"""

import json
import time
import urllib.parse
import urllib.request

import requests.adapters
import requests.auth

from checks import HOST, PASSWORD, PATIENCE, check

TWITTER = "https://stream.twitter.com/"
BURST = 8  # statuses at once, of which a stream with max_rate=1 leaves out most


def first(things, holds):
    """The first of them for which this holds, as soon as there is one; fails when patience ends."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for thing in list(things):
            if holds(thing):
                return thing
        time.sleep(0.02)
    raise AssertionError(f"heard only {things!r}"[:2000])


class Fanfare(requests.adapters.HTTPAdapter):
    """Sends the requests for stream.twitter.com to Fanfare, with parameters that the client has no name for."""

    def __init__(self, name, token, **parameters):
        super().__init__()
        self.login = requests.auth.HTTPBasicAuth(name, token)
        self.parameters = parameters

    def send(self, request, **how):
        asked = urllib.parse.urlsplit(request.url)
        query = "&".join(part for part in (asked.query, urllib.parse.urlencode(self.parameters)) if part)
        request.url = urllib.parse.urlunsplit(("http", HOST, asked.path, query, ""))
        return super().send(self.login(request), **how)


class Person:
    """One of the two, by the REST API."""

    def __init__(self, name):
        app = self.call("POST", "/api/v1/apps", client_name="streams", redirect_uris="urn:ietf:wg:oauth:2.0:oob", scopes="read write")
        token = self.call(
            "POST",
            "/oauth/token",
            grant_type="password",
            client_id=app["client_id"],
            client_secret=app["client_secret"],
            username=name + "@example.org",
            password=PASSWORD,
            scope="read write",
        )
        self.name = name
        self.token = token["access_token"]
        self.id = int(self.call("GET", "/api/v1/accounts/verify_credentials")["id"])

    token = None

    def call(self, method, path, **fields):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        body = json.dumps(fields).encode() if fields else None
        with urllib.request.urlopen(urllib.request.Request(f"http://{HOST}{path}", body, headers, method=method), timeout=60) as answer:
            return json.load(answer)

    def post(self, text, **fields):
        return int(self.call("POST", "/api/v1/statuses", status=text, **fields)["id"])

    def boost(self, status):
        return int(self.call("POST", f"/api/v1/statuses/{status}/reblog")["id"])

    def delete(self, status):
        self.call("DELETE", f"/api/v1/statuses/{status}")

    def until_heard(self, text, heard):
        """A stream begins at some time, so it is spoken to until it is heard."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not heard:
            self.post(text)
            time.sleep(0.2)
        return len(heard)


def burst(ann, capped, tag):
    """More statuses at once than a stream with max_rate=1 sends, which then tells limits, and all deletes."""
    check("a capped filter is heard", lambda: ann.until_heard("Ready? " + tag, capped.tweets), lambda times: times > 0)
    numbers = [ann.post(f"{i} {tag}") for i in range(BURST)]
    check("on_limit", lambda: first(capped.limits, lambda track: track > 0))
    for number in numbers:
        ann.delete(number)
    check("deletes, which are not counted", lambda: [first(capped.deletes, lambda it: it[0] == number) for number in numbers], lambda it: len(it) == BURST)
    capped.disconnect()
