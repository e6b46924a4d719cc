"""A browser with nobody before it: opens the log-in page that a program shows, fills it in, approves, and hands over the code that it is shown.

Usage: browser.py ADDRESS    LOGIN_NAME, LOGIN_PASSWORD and LOGIN_CODE (a file to write the code to) in the environment
"""
import http.cookiejar
import os
import re
import sys
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, build_opener


class Form(HTMLParser):
    """The one of the page: where it goes, and its fields."""

    def __init__(self, page):
        super().__init__()
        self.action = None
        self.fields = {}
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self.action = attrs["action"]
        elif tag == "input":
            self.fields[attrs["name"]] = attrs.get("value", "")


address = sys.argv[1]
browser = build_opener(HTTPCookieProcessor(http.cookiejar.CookieJar()))
form = Form(browser.open(address, timeout=15).read().decode())
form.fields.update(username=os.environ["LOGIN_NAME"], password=os.environ["LOGIN_PASSWORD"], decision="approve")
shown = browser.open(urljoin(address, form.action), urlencode(form.fields).encode(), timeout=15).read().decode()
with open(os.environ["LOGIN_CODE"], "w") as code:
    print(re.search("<code>([^<]+)</code>", shown)[1], file=code)
