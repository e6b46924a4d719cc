"""Listens with twython (Debian's python3-twython) to the streams of Twitter's API v1.1. Its use is in checks.py."""

import threading

import twython

from checks import ANN, BOB, check, run
from twitter import TWITTER, Fanfare, Person, burst, first

TAG = "twython_" + ANN.lower()  # The users are new, and so is what only they speak of.


class Heard(twython.TwythonStreamer):
    """Keeps what a stream says: twython tells messages that are no deletes and limits as they came."""

    def __init__(self, person, token=None, **parameters):
        super().__init__("key", "secret", "token", "secret", timeout=60, retry_count=0)
        self.client.mount(TWITTER, Fanfare(person.name, token or person.token, **parameters))
        self.tweets, self.deletes, self.limits, self.errors = [], [], [], []

    def on_success(self, data):
        if "text" in data or "full_text" in data:
            self.tweets.append(data)
        return True  # So that deletes and limits are told by their names.

    def on_delete(self, data):
        self.deletes.append((data["status"]["id"], data["status"]["user_id"]))

    def on_limit(self, data):
        self.limits.append(data["track"])

    def on_error(self, status_code, data, headers=None):
        self.errors.append(status_code)
        self.disconnect()

    def tweet(self, number):
        return first(self.tweets, lambda tweet: tweet["id"] == number)


def listen(heard, stream, **parameters):
    threading.Thread(target=getattr(heard.statuses, stream), kwargs=parameters, daemon=True).start()
    return heard


def tweets(ann, bob):
    heard = listen(Heard(bob), "filter", track=TAG)
    check("filter is heard", lambda: ann.until_heard("Is anybody there? " + TAG, heard.tweets), lambda times: times > 0)

    number = ann.post(f"Rain <3 & {TAG} #weather", language="en")
    tweet = check("on_success", lambda: heard.tweet(number), lambda it: it["text"] == f"Rain <3 & {TAG} #weather" and it["id_str"] == str(number))
    check("its author", lambda: tweet["user"], lambda it: it["screen_name"] == ANN.lower() and it["id"] == ann.id)
    check("its language", lambda: tweet["lang"], lambda it: it == "en")
    check("its hashtag", lambda: tweet["entities"]["hashtags"][0], lambda it: tweet["text"][slice(*it["indices"])] == "#weather")

    boost = bob.boost(number)
    check("a retweet", lambda: heard.tweet(boost), lambda it: it["retweeted_status"]["id"] == number)
    quote = bob.post("So it does, " + TAG, quoted_status_id=str(number))
    check("a quote", lambda: heard.tweet(quote), lambda it: it["quoted_status"]["id"] == number)

    bob.delete(quote)
    check("on_delete", lambda: first(heard.deletes, lambda it: it == (quote, bob.id)))
    check("nothing else", lambda: heard.limits + heard.errors, lambda it: it == [])
    heard.disconnect()


def others(ann, bob):
    for name, parameters in (("firehose", {}), ("sample", {"rate": 100})):
        heard = listen(Heard(bob), name, tweet_mode="extended", **parameters)
        check(name, lambda: ann.until_heard(f"{name} {TAG}", heard.tweets), lambda times: times > 0)
        number = ann.post(f"In full, {name} {TAG}")
        check(f"{name} with tweet_mode=extended", lambda: heard.tweet(number), lambda it: it["full_text"] == f"In full, {name} {TAG}")
        heard.disconnect()


def limits(ann, bob):
    capped = listen(Heard(bob), "filter", track=TAG + "_burst", max_rate=1)
    burst(ann, capped, TAG + "_burst")


def refusals(bob):
    refused = Heard(bob, token="wrong")
    refused.statuses.filter(track=TAG)
    check("on_error of a wrong token", lambda: refused.errors, lambda it: it == [401])
    empty = Heard(bob)
    empty.statuses.filter()
    check("on_error of an empty filter", lambda: empty.errors, lambda it: it == [406])


def main():
    ann, bob = Person(ANN), Person(BOB)
    tweets(ann, bob)
    others(ann, bob)
    limits(ann, bob)
    refusals(bob)


run(main)
