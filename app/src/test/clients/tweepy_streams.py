"""Listens with tweepy (Debian's python3-tweepy) to the streams of Twitter's API v1.1. Its use is in checks.py."""

import tweepy

from checks import ANN, BOB, check, run
from twitter import TWITTER, Fanfare, Person, burst, first

TAG = "tweepy_" + ANN.lower()  # The users are new, and so is what only they speak of.


class Heard(tweepy.Stream):
    """Keeps what a stream says, as tweepy understands it."""

    def __init__(self, person, token=None, **parameters):
        super().__init__("key", "secret", "token", "secret", daemon=True, max_retries=0)
        self.session.mount(TWITTER, Fanfare(person.name, token or person.token, **parameters))
        self.tweets, self.deletes, self.limits, self.errors, self.opened = [], [], [], [], []

    def on_connect(self):
        self.opened.append(True)

    def on_status(self, status):
        self.tweets.append(status)

    def on_delete(self, status_id, user_id):
        self.deletes.append((status_id, user_id))

    def on_limit(self, track):
        self.limits.append(track)

    def on_request_error(self, status_code):
        self.errors.append(status_code)

    def on_exception(self, exception):
        self.errors.append(exception)

    def tweet(self, number):
        return first(self.tweets, lambda tweet: tweet.id == number)


def tweets(ann, bob):
    heard = Heard(bob)
    heard.filter(track=[TAG], threaded=True)
    check("filter is open", lambda: first(heard.opened, bool))
    check("filter is heard", lambda: ann.until_heard("Is anybody there? " + TAG, heard.tweets), lambda times: times > 0)

    number = ann.post(f"Rain <3 & {TAG} #weather @{BOB.lower()} https://example.org/a?b=1", language="en")
    tweet = check("on_status", lambda: heard.tweet(number), lambda it: it.text.startswith("Rain <3 & ") and it.id_str == str(number))
    check("its author", lambda: tweet.user, lambda it: it.screen_name == ANN.lower() and it.id == ann.id)
    check("its language and time", lambda: tweet, lambda it: it.lang == "en" and it.created_at.timestamp() == int(it.timestamp_ms) // 1000)
    check("its entities", lambda: tweet.entities, lambda it: it["hashtags"][0]["text"] == "weather" and it["user_mentions"][0]["screen_name"] == BOB.lower())
    check("its address", lambda: tweet.entities["urls"][0], lambda it: it["expanded_url"] == "https://example.org/a?b=1")

    boost = bob.boost(number)
    check("a retweet", lambda: heard.tweet(boost), lambda it: it.retweeted_status.id == number and it.text.startswith("RT @"))
    quote = bob.post("So it does, " + TAG, quoted_status_id=str(number))
    check("a quote", lambda: heard.tweet(quote), lambda it: it.is_quote_status and it.quoted_status.id == number)
    reply = bob.post(f"@{ANN.lower()} where? {TAG}", in_reply_to_id=str(number))
    check("a reply", lambda: heard.tweet(reply), lambda it: it.in_reply_to_status_id == number and it.in_reply_to_user_id == ann.id)

    bob.delete(reply)
    check("on_delete", lambda: first(heard.deletes, lambda it: it == (reply, bob.id)))
    check("nothing else", lambda: heard.limits + heard.errors, lambda it: it == [])
    heard.disconnect()


def others(ann, bob):
    """The other streams, and what they do not tell."""
    heard = Heard(bob, rate=100, tweet_mode="extended")
    heard.sample(threaded=True)
    check("sample", lambda: ann.until_heard("sample " + TAG, heard.tweets), lambda times: times > 0)
    number = ann.post("In full, " + TAG)
    check("sample with tweet_mode=extended", lambda: heard.tweet(number), lambda it: it.full_text == "In full, " + TAG)
    heard.disconnect()

    followed = Heard(ann)
    followed.filter(follow=[str(bob.id)], threaded=True)
    check("filter with follow", lambda: bob.until_heard("Is Ann there?", followed.tweets), lambda times: times > 0)
    secret = bob.post("For followers only", visibility="private")
    last = bob.post("For everybody")
    check("what comes later", lambda: followed.tweet(last))
    check("no private status", lambda: followed.tweets, lambda it: all(tweet.id != secret for tweet in it))
    followed.disconnect()


def limits(ann, bob):
    capped = Heard(bob, max_rate=1)
    capped.filter(track=[TAG + "_burst"], threaded=True)
    check("a capped filter is open", lambda: first(capped.opened, bool))
    burst(ann, capped, TAG + "_burst")


def refusals(bob):
    refused = Heard(bob, token="wrong")
    refused.filter(track=[TAG])
    check("on_request_error of a wrong token", lambda: refused.errors, lambda it: it == [401])
    empty = Heard(bob)
    empty.filter(track=[])
    check("on_request_error of an empty filter", lambda: empty.errors, lambda it: it == [406])


def main():
    ann, bob = Person(ANN), Person(BOB)
    tweets(ann, bob)
    others(ann, bob)
    limits(ann, bob)
    refusals(bob)


run(main)
