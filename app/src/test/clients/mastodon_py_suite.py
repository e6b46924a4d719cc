"""A plugin of pytest that lets Mastodon.py's own tests ask a Fanfare server at localhost:3000; see docs/clients.md.

The suite expects four accounts and three access tokens that its setup.sql writes into the database of Mastodon, by names
such as __MASTODON_PY_TEST_ACCESS_TOKEN. Fanfare signs its tokens, so the plugin signs the accounts up, or logs them in,
and puts the real tokens and keys of the app into the requests, just before they are sent. It also stands in for the
plugins that replay recorded answers: without them the fixture vcr has nothing to do.
"""

import os
import shlex
import subprocess
import types

import pytest
import requests

SERVER = "http://localhost:3000"
PASSWORD = "5fc638e0e53eafd9c4145b6bb852667d"
SCOPES = "read write follow push admin:read admin:write"

# The command that gives an account a role, such as: ./fanfare admin role set --data FOLDER --why suite
SET_ROLE = os.environ.get("SUITE_SET_ROLE", "")
ACCOUNTS = {
    # The names of the suite's tokens; the first account is the operator's there.
    "admin": ("__MASTODON_PY_TEST_ACCESS_TOKEN_2", {}),
    "admin2": (None, {}),
    "mastodonpy_test": ("__MASTODON_PY_TEST_ACCESS_TOKEN", {"locked": "true"}),
    "mastodonpy_test_2": ("__MASTODON_PY_TEST_ACCESS_TOKEN_3", {"discoverable": "true", "indexable": "true", "locked": "false"}),
}

real = {}
asking = set()
passed = set()
running = None


def answered(response):
    if not response.ok:
        raise pytest.UsageError(f"{response.request.method} {response.url}: {response.status_code} {response.text}")
    return response.json()


def log_in(app, name):
    keys = {"client_id": app["client_id"], "client_secret": app["client_secret"], "scope": SCOPES}
    user = {"username": name, "email": name + "@example.org", "password": PASSWORD, "agreement": "true", "locale": "ja"}
    by_app = answered(requests.post(SERVER + "/oauth/token", {"grant_type": "client_credentials", **keys}))["access_token"]
    requests.post(SERVER + "/api/v1/accounts", user, headers={"Authorization": "Bearer " + by_app})
    token = answered(requests.post(SERVER + "/oauth/token", {"grant_type": "password", **keys, "username": user["email"], "password": PASSWORD}))
    return token["access_token"]


def pytest_configure(config):
    for mark in ("vcr", "flaky"):
        config.addinivalue_line("markers", mark + ": for plugins that are not used here")
    app = answered(
        requests.post(
            SERVER + "/api/v1/apps",
            {"client_name": "Mastodon.py test suite", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": SCOPES},
        )
    )
    real["__MASTODON_PY_TEST_CLIENT_ID"] = app["client_id"]
    real["__MASTODON_PY_TEST_CLIENT_SECRET"] = app["client_secret"]
    for name, (placeholder, profile) in ACCOUNTS.items():
        token = log_in(app, name)
        if profile:
            answered(
                requests.patch(
                    SERVER + "/api/v1/accounts/update_credentials", profile, headers={"Authorization": "Bearer " + token}
                )
            )
        if placeholder:
            real[placeholder] = token
    if SET_ROLE:
        subprocess.run([*shlex.split(SET_ROLE), "admin", "owner"], check=True)

    send = requests.adapters.HTTPAdapter.send

    def send_real(adapter, request, *args, **kwargs):
        if request.url.startswith(SERVER):
            asking.add(running)
        request.url = put(request.url)
        if "Authorization" in request.headers:
            request.headers["Authorization"] = put(request.headers["Authorization"])
        if isinstance(request.body, str) and put(request.body) != request.body:
            request.body = put(request.body)
            request.prepare_content_length(request.body)
        return send(adapter, request, *args, **kwargs)

    requests.adapters.HTTPAdapter.send = send_real


def put(text):
    """The text with the real tokens and keys; longer names first, since one begins like the other."""
    for placeholder in sorted(real, key=len, reverse=True):
        text = text.replace(placeholder, real[placeholder])
    return text


def pytest_runtest_logstart(nodeid, location):
    global running
    running = nodeid


def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed:
        passed.add(report.nodeid)
    elif report.failed:
        passed.discard(report.nodeid)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"{len(passed & asking)} of {len(asking)} tests that ask the server passed")


@pytest.fixture
def vcr():
    return types.SimpleNamespace()
