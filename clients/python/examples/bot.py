"""Answers each public status with the word "hello", once, through crashes of itself and of the server."""

import os
from pathlib import Path

from fanfare_client import ApiError, Fanfare

stored = Path(os.environ.get("CURSOR", "bot.cursor"))
cursor = stored.read_text() if stored.exists() else None
fanfare = Fanfare(os.environ["FANFARE_URL"], os.environ["FANFARE_TOKEN"], retries=10)

for batch in fanfare.streams.filter().track("hello").after(cursor).open():
    for event in batch.events:
        if event.type == "status":
            status, key = event.data, f"welcome-{event.data['id']}"
            text = f"@{status['account']['acct']} Welcome!"
            try:
                fanfare.create_status(status=text, in_reply_to_id=status["id"], idempotency_key=key)
            except ApiError as error:
                if error.status != 404:  # deleted meanwhile
                    raise
    new = stored.with_suffix(".new")
    new.write_text(batch.cursor)
    new.replace(stored)
