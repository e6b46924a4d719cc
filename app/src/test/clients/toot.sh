#!/bin/bash
# Drives Debian's toot through every sub-command that Fanfare has routes for, and checks what it prints.
# Usage: toot.sh HOST:PORT ANN BOB PASSWORD    two users who have signed up; their files go below $XDG_CONFIG_HOME
# Prints each failing check with its command and answer, then "N checks, M failed". Fails when one does.
set -u
host=$1 ann=$2 bob=$3 password=$4
tag=whodunnit_$ann
patience=15 # seconds, for what reaches others through the queue
checks=0 failed=0

fail() {
  failed=$((failed + 1))
  printf 'FAILED  %s\n  wanted: %s\n  answer: %s\n' "$1" "$2" "$3"
}

# says TEXT COMMAND...: the command succeeds, and its output holds the text. The output stays in $answer.
says() {
  local text=$1; shift
  checks=$((checks + 1))
  if ! answer=$("$@" 2>&1 </dev/null) || [[ $answer != *"$text"* ]]; then
    fail "$*" "$text" "$answer"
  fi
}

# silent TEXT COMMAND...: the command succeeds, and its output does not hold the text.
silent() {
  local text=$1; shift
  checks=$((checks + 1))
  if ! answer=$("$@" 2>&1 </dev/null) || [[ $answer == *"$text"* ]]; then
    fail "$*" "not: $text" "$answer"
  fi
}

# refuses TEXT COMMAND...: the command fails with a sentence that holds the text, not with a stack trace.
refuses() {
  local text=$1; shift
  checks=$((checks + 1))
  if answer=$("$@" 2>&1 </dev/null) || [[ $answer != *"$text"* || $answer == *Traceback* ]]; then
    fail "$*" "refused: $text" "$answer"
  fi
}

# soon TEXT COMMAND...: says, after some time.
soon() {
  local text=$1 end=$((SECONDS + patience)); shift
  until answer=$("$@" 2>&1 </dev/null) && [[ $answer == *"$text"* ]]; do
    ((SECONDS < end)) || break
    sleep 0.3
  done
  says "$text" "$@"
}

login() {
  checks=$((checks + 1))
  if ! answer=$(toot login_cli --instance "$host" --email "$1" --disable-https <<<"$password" 2>&1) || [[ $answer != *"Successfully logged in"* ]]; then
    fail "toot login_cli --email $1" "Successfully logged in" "$answer"
  fi
}

# The same by toot's other way: it opens a page in the browser and waits for the code that is shown there.
login_by_browser() {
  local codes=$XDG_CONFIG_HOME/codes
  checks=$((checks + 1))
  mkfifo "$codes" && exec 3<>"$codes" && echo y >&3
  if ! answer=$(BROWSER="/usr/bin/python3 $PWD/browser.py %s" LOGIN_NAME=$1 LOGIN_PASSWORD=$password LOGIN_CODE=$codes timeout "$patience" toot login --instance "$host" --disable-https <&3 2>&1) ||
    [[ $answer != *"Successfully logged in"* ]]; then
    fail "toot login" "Successfully logged in" "$answer"
  fi
  exec 3>&-
}

# The id of the status that was just posted: the last part of its URL.
posted() { grep -o '[0-9]*$' <<<"$answer" | tail -1; }

as_ann() { toot "$@" --using "$ann@$host"; }
as_bob() { toot "$@" --using "$bob@$host"; }

# Who am I, and where.
says "running Mastodon 4.5.0 (compatible; Fanfare" toot instance "$host" --disable-https
login "$ann@example.org"
login_by_browser "$bob@example.org"
refuses "Login failed" env XDG_CONFIG_HOME="$(mktemp -d)" bash -c "echo wrong password | toot login_cli -i $host -e $ann@example.org --disable-https"
says "$ann@$host" toot auth
says "toot 0.34.1" toot env
says "@$ann" as_ann whoami
says "Followers: 0" as_ann whois "$bob"
says "@$bob" as_ann whois "@$bob@$host"
refuses "Account not found" as_ann whois nobody_of_this_name

# Following.
says "You are now following" as_bob follow "$ann"
says "@$ann" as_bob following "$bob"
says "@$bob" as_bob followers "$ann"

# Posting.
says "Toot posted: http://$host/@$ann/" as_ann post "Good morning from the command line"
first=$(posted)
says "Toot posted" as_ann post "Only for those who follow me" --visibility private --language de
private=$(posted)
says "Toot posted" as_ann post "The butler did it #$tag" --spoiler-text "The end of the book" --sensitive --visibility public
tagged=$(posted)
says "Toot posted" as_bob post "@$ann good morning to you" --reply-to "$first"
reply=$(posted)
says "Toot posted" as_ann post "Not on the public page" --visibility unlisted
unlisted=$(posted)
says "Toot posted" as_ann post "For one person" --visibility direct

# Reading.
soon "Good morning from the command line" as_bob timeline --once
says "Only for those who follow me" as_bob timeline --once --count 5 --reverse
soon "The butler did it" as_bob timeline --public --once
says "The butler did it" as_bob timeline --public --local --once
silent "Not on the public page" as_bob timeline --public --once
silent "Only for those who follow me" as_bob timeline --public --once
soon "The butler did it" as_bob timeline --tag "$tag" --once
says "good morning to you" as_ann thread "$first"
says "Good morning from the command line" as_ann thread "$reply"
says "@$ann" as_bob search "$ann"
says "#$tag" as_bob search "#$tag"
says "#$tag" as_bob search "#${tag%?}"

# Doing something with a status.
says "Status favourited" as_bob favourite "$first"
says "Status bookmarked" as_bob bookmark "$first"
says "Good morning from the command line" as_bob bookmarks --once
says "Status reblogged" as_bob reblog "$first"
says "@$bob" toot reblogged_by "$first"
soon "favourited your status" as_ann notifications
says "reblogged your status" as_ann notifications
says "now follows you" as_ann notifications
says "mentioned you in" as_ann notifications --mentions
silent "favourited your status" as_ann notifications --mentions --reverse
says "Status unreblogged" as_bob unreblog "$first"
silent "@$bob" toot reblogged_by "$first"
says "Status unfavourited" as_bob unfavourite "$first"
says "Status unbookmarked" as_bob unbookmark "$first"
silent "Good morning from the command line" as_bob bookmarks --once
says "Cleared notifications" as_ann notifications --clear
says "No notification" as_ann notifications

# Not wanting to hear from somebody.
says "You have muted" as_bob mute "$ann"
silent "Good morning from the command line" as_bob timeline --once
says "no longer muted" as_bob unmute "$ann"
soon "Good morning from the command line" as_bob timeline --once
says "You are now blocking" as_ann block "$bob"
silent "@$bob" as_ann followers "$ann"
silent "@$ann" as_bob search "$ann"
says "no longer blocked" as_ann unblock "$bob"
says "You are now following" as_bob follow "$ann"
says "You are no longer following" as_bob unfollow "$ann"
silent "Good morning from the command line" as_bob timeline --once
refuses "" as_bob thread "$private"

# Pictures: one of a pixel.
picture=$XDG_CONFIG_HOME/pixel.png
base64 -d >"$picture" <<<iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC
says "Toot posted" as_ann post "A pixel" --media "$picture" --description "It is red"
pixel=$(posted)
says "/media/" as_ann thread "$pixel"
says "Status deleted" as_ann delete "$pixel"
says "Successfully uploaded media ID" as_ann upload "$picture" --description "It is red"
says "/media/" as_ann upload "$picture"
says "Toot posted" as_ann post "Two pixels" --media "$picture" --media "$picture" --description "One" --description "Two" --sensitive
says "Status deleted" as_ann delete "$(posted)"
echo "no picture" >"$picture"
refuses "no picture that this server reads" as_ann upload "$picture"
refuses "no picture that this server reads" as_ann post "No pixel" --media "$picture"

# Later.
says "Toot scheduled for: 2100-01-02 03:04:05+0000" as_ann post "In another century" --scheduled-at 2100-01-02T03:04:05Z
says "Toot scheduled for:" as_ann post "In an hour" --scheduled-in "1 hour"
refuses "" as_ann post "In a moment" --scheduled-in "1 minute"
silent "In an hour" as_ann timeline --once

# It reads lists, but makes none; polls and filters have no command either.
refuses "Record not found" as_ann timeline --list 1 --once

# Taking back.
says "Status deleted" as_ann delete "$first"
refuses "" as_ann thread "$first"
refuses "" as_bob delete "$tagged"
says "Status pinned" as_ann pin "$tagged"
refuses "cannot be pinned" as_bob pin "$tagged"
says "Status unpinned" as_ann unpin "$tagged"
says "Status deleted" as_ann delete "$unlisted"

says "not following any hashtags" as_ann tags_followed
says "now following" as_ann tags_follow "$tag"
says "$tag" as_ann tags_followed
says "no longer following" as_ann tags_unfollow "$tag"

says "logged out" toot logout "$bob@$host"
says "active" toot activate "$ann@$host"

echo "$checks checks, $failed failed"
((failed == 0))
