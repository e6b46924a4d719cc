import asyncio
import inspect
import io
import os
import re
import tempfile
import time
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

import fanfare_client
from fanfare_client import ApiError, AsyncFanfare, Fanfare, NetworkError, ProtocolError, UsageError
from fanfare_client.operations import OPERATIONS, AsyncCalls, Calls

from .fake import Fake, always, answer, by_number

TOKEN = "secret-token"
ROOT = Path(__file__).resolve().parents[3]


class CallsTest(unittest.TestCase):
    def server(self, handler):
        server = Fake(handler)
        self.addCleanup(server.close)
        return server

    def client(self, server, **options):
        client = Fanfare(server.url, TOKEN, **options)
        self.addCleanup(client.close)
        return client

    def test_a_call_puts_its_arguments_into_path_query_and_json(self):
        server = self.server(always(answer(200, [])))
        fanfare = self.client(server)
        fanfare.list_accounts(id=["1", "2"])
        fanfare.show_tag("a b/ü", limit=5, local=True)
        fanfare.follow_account("7", languages=["en"], notify=True)
        accounts, tag, follow = server.requests
        self.assertEqual(accounts.line, "GET /api/v1/accounts?id%5B%5D=1&id%5B%5D=2 HTTP/1.1")
        self.assertEqual(tag.line, "GET /api/v1/timelines/tag/a%20b%2F%C3%BC?limit=5&local=true HTTP/1.1")
        self.assertEqual(follow.line, "POST /api/v1/accounts/7/follow HTTP/1.1")
        self.assertEqual(follow.body, '{"languages": ["en"], "notify": true}')
        self.assertEqual(follow.header("authorization"), f"Bearer {TOKEN}")

    def test_both_clients_have_a_method_for_each_operation(self):
        for name in OPERATIONS:
            method = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
            self.assertFalse(inspect.iscoroutinefunction(getattr(Calls, method)))
            self.assertTrue(inspect.iscoroutinefunction(getattr(AsyncCalls, method)))
        self.assertGreater(len(OPERATIONS), 180)

    def test_a_failed_post_is_repeated_with_the_same_key_and_others_are_not(self):
        server = self.server(by_number(lambda n: None if n % 2 else answer(200, {"id": "1"})))
        fanfare = self.client(server)
        fanfare.create_status(status="Hello")
        first, second = server.requests
        self.assertRegex(first.header("idempotency-key"), "^[0-9a-f-]{36}$")
        self.assertEqual(first.header("idempotency-key"), second.header("idempotency-key"))
        with self.assertRaises(NetworkError):
            fanfare.create_list(title="List")
        self.assertEqual(len(server.requests), 3)
        fanfare.list_lists()
        with self.assertRaises(NetworkError):
            fanfare.clear_notifications()  # a repetition would delete what has arrived in between
        self.assertEqual(len(server.requests), 5)

    def test_a_post_without_a_key_is_repeated_after_429_only(self):
        server = self.server(by_number(lambda n: answer([429, 200, 503][n - 1], {}, Retry_After=1)))
        fanfare = self.client(server)
        begin = time.monotonic()
        fanfare.create_list(title="List")
        self.assertGreater(time.monotonic() - begin, 0.95)
        with self.assertRaises(ApiError) as refused:
            fanfare.create_list(title="List")
        self.assertEqual(refused.exception.status, 503)
        self.assertEqual(len(server.requests), 3)

    def test_a_call_bridges_a_server_that_cannot_be_reached_for_a_moment(self):
        gone = Fake(always(b""))
        gone.close()
        with Fanfare(gone.url, retries=1) as fanfare:
            with self.assertRaises(NetworkError) as unreachable:
                fanfare.create_list(title="List")
        self.assertTrue(unreachable.exception.unsent)

    def test_a_pause_above_max_wait_is_an_error_at_once(self):
        server = self.server(always(answer(429, {"error": "Wait."}, Retry_After=3600)))
        with self.assertRaises(ApiError) as refused:
            self.client(server).show_home()
        self.assertEqual(str(refused.exception), "Wait. (showHome: 429)")
        self.assertEqual(refused.exception.retry_after, 3600)
        self.assertEqual(len(server.requests), 1)

    def test_the_last_request_of_a_period_holds_the_next_one_of_its_operation(self):
        def choose(n):
            reset = (datetime.now(timezone.utc) + timedelta(seconds=0.8)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            return answer(200, [], X_RateLimit_Remaining=0, X_RateLimit_Reset=reset) if n == 1 else answer(200, [])

        fanfare = self.client(self.server(by_number(choose)))
        begin = time.monotonic()
        fanfare.list_lists()
        fanfare.list_filters()
        self.assertLess(time.monotonic() - begin, 0.7)
        fanfare.list_lists()
        self.assertGreater(time.monotonic() - begin, 0.75)

    def test_an_error_has_the_sentence_and_the_details(self):
        details = {"text": [{"error": "ERR_BLANK", "description": "can't be blank"}]}
        server = self.server(always(answer(422, {"error": "Validation failed.", "details": details})))
        with self.assertRaisesRegex(ApiError, r"^Validation failed\. \(createStatus: 422\)$") as refused:
            self.client(server).create_status(status="")
        self.assertEqual(refused.exception.details, details)

    def test_a_walk_reads_all_pages_at_the_address_of_the_client(self):
        def choose(n):
            link = f'<http://elsewhere.invalid/x?max_id={n}&limit=2>; rel="next", <http://elsewhere.invalid/p?min_id=1>; rel="prev"'
            return answer(200, [{"id": f"{n}a"}, {"id": f"{n}b"}], **({"Link": link} if n < 3 else {}))

        server = self.server(by_number(choose))
        fanfare = self.client(server)
        seen = [status["id"] for status in fanfare.show_home(limit=2).walk()]
        self.assertEqual(seen, ["1a", "1b", "2a", "2b", "3a", "3b"])
        self.assertEqual(server.requests[2].line, "GET /api/v1/timelines/home?max_id=2&limit=2 HTTP/1.1")
        self.assertIsNone(fanfare.show_home().next_page())

    def test_a_walk_with_asyncio(self):
        server = self.server(by_number(lambda n: answer(200, [n], **({"Link": f'<http://x/?max_id={n}>; rel="next"'} if n < 3 else {}))))

        async def walk():
            async with AsyncFanfare(server.url, TOKEN) as fanfare:
                return [entry async for entry in (await fanfare.show_home()).walk()]

        self.assertEqual(asyncio.run(walk()), [1, 2, 3])

    def test_a_walk_whose_next_page_is_the_same_page_ends_with_an_error(self):
        server = self.server(always(answer(200, [1], Link='<http://x/?max_id=1>; rel="next"')))
        with self.assertRaises(ProtocolError):
            list(self.client(server).show_home().walk())

    def test_a_redirect_is_not_followed(self):
        thief = self.server(always(answer(200, [])))
        server = self.server(always(answer(302, Location=f"{thief.url}/steal")))
        fanfare = self.client(server)
        with self.assertRaises(ProtocolError):
            fanfare.show_home()
        with self.assertRaises(ProtocolError):
            next(fanfare.streams.firehose().open())
        self.assertEqual(thief.requests, [])

    def test_an_answer_that_does_not_end_is_an_error(self):
        async def endless(_request, writer, _n):
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                writer.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
                await writer.drain()

        with self.assertRaisesRegex(ProtocolError, "1048576 bytes"):
            self.client(self.server(endless), max_answer_bytes=1 << 20).show_home()

    def test_an_answer_that_swells_when_it_is_decoded_is_an_error(self):
        import gzip

        body = gzip.compress(b" " * (64 << 20))
        head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        with self.assertRaisesRegex(ProtocolError, "1048576 bytes"):
            self.client(self.server(always(head + body)), max_answer_bytes=1 << 20).show_home()
        good = gzip.compress(b'[{"id": "1"}]')
        head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(good)}\r\n\r\n".encode()
        self.assertEqual(self.client(self.server(always(head + good))).show_home(), [{"id": "1"}])

    def test_an_answer_or_a_head_that_comes_byte_by_byte_is_an_error_after_the_timeout(self):
        for begin in (b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n", b"HTTP/1.1 200 OK\r\nX-Slow: "):

            async def slow(_request, writer, _n, begin=begin):
                writer.write(begin)
                while not writer.is_closing():
                    writer.write(b"x")
                    await asyncio.sleep(0.05)

            with self.assertRaisesRegex(NetworkError, "no answer in 0.4 s"):
                self.client(self.server(slow), timeout=0.4, retries=0).show_home()

    def test_a_head_of_one_megabyte_is_an_error(self):
        server = self.server(always("HTTP/1.1 200 OK\r\nX-Long: " + "x" * (1 << 20) + "\r\n\r\n{}"))
        with self.assertRaises(NetworkError):
            self.client(server, retries=0).show_home()

    def test_an_answer_that_is_no_json_is_an_error(self):
        for body in ("<html>", "[" * 100_000):
            with self.assertRaisesRegex(ProtocolError, "The answer to showHome is no JSON"):
                self.client(self.server(always(answer(200, body)))).show_home()

    def test_an_upload_sends_bytes_a_path_and_an_open_file_and_reports_its_progress(self):
        server = self.server(always(answer(200, {"id": "1", "url": "http://x/1"})))
        fanfare = self.client(server)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, 'a"b.png')
            path.write_bytes(b"p" * 200_000)
            with open(path, "rb") as file:
                for source in (path.read_bytes(), path, str(path), file, io.BytesIO(path.read_bytes())):
                    seen = []
                    fanfare.upload_media(source, description="dot", on_progress=lambda *given: seen.append(given))
                    self.assertGreater(len(seen), 2)
                    self.assertEqual(seen[-1][0], seen[-1][1])
                    request = server.requests[-1]
                    self.assertIn("p" * 200_000, request.body)
                    self.assertIn('name="description"\r\n\r\ndot\r\n', request.body)
                    self.assertEqual(int(request.header("content-length")), seen[-1][1])
        self.assertIn('filename="a%22b.png"', server.requests[1].body)

    def test_bad_arguments_get_a_sentence_and_send_nothing(self):
        for address in ("", "social.example", "ftp://x", "http://user:pw@x", "http://x/?q=1", 7, "http://[x"):
            with self.assertRaises(UsageError, msg=address) as bad:
                Fanfare(address)
            self.assertNotIn("pw", str(bad.exception))
        server = self.server(always(answer(200, {})))
        for options in ({"token": ""}, {"token": "a b"}, {"token": "a\nb"}, {"timeout": 0}, {"max_wait": -1}, {"max_answer_bytes": "x"}, {"retries": -1}):
            with self.assertRaises(UsageError, msg=options):
                Fanfare(server.url, **options)
        fanfare = self.client(server)
        bad_calls = [
            lambda: fanfare.show_status(""),
            lambda: fanfare.show_status(".."),
            lambda: fanfare.show_status(None),
            lambda: fanfare.show_status({}),
            lambda: fanfare.show_home(limit=float("nan")),
            lambda: fanfare.show_home(limit=object()),
            lambda: fanfare.create_status(status=lambda: 1),
            lambda: fanfare.upload_media("/no/such/file.png"),
        ]
        for number, call in enumerate(bad_calls):
            with self.assertRaises(UsageError, msg=str(number)) as bad:
                call()
            self.assertGreater(len(str(bad.exception)), 10)
        self.assertEqual(server.requests, [])

    def test_a_closed_client_refuses_calls(self):
        client = Fanfare("http://127.0.0.1:1")
        client.close()
        client.close()
        with self.assertRaisesRegex(UsageError, "closed"):
            client.show_home()

    def test_no_error_and_no_printed_client_shows_the_token(self):
        fanfare = self.client(self.server(by_number(lambda n: None)), retries=0)
        with self.assertRaises(NetworkError) as cut:
            fanfare.show_home()
        self.assertNotIn(TOKEN, f"{cut.exception!r} {fanfare!r} {fanfare.streams.home().open()!r}")

    def test_the_version_is_that_of_the_server(self):
        pom = (ROOT / "pom.xml").read_text()
        version = re.search("<version>(.*?)</version>", pom)[1].replace("-SNAPSHOT", "")
        self.assertEqual(fanfare_client.__version__, version)
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(fanfare_client.__file__), "py.typed")))


if __name__ == "__main__":
    unittest.main()
