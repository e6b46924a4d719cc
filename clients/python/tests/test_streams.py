import asyncio
import resource
import threading
import time
import unittest

from fanfare_client import ApiError, AsyncFanfare, Fanfare, NetworkError, ProtocolError, UsageError

from .fake import COMPRESSED, GAP, STREAM, Fake, Gzip, always, answer, by_number, hello, status

TOKEN = "secret-token"


def take(stream, enough):
    """Takes batches until ``enough`` of the events and cursors holds."""
    events, cursors = [], []
    for batch in stream:
        events += batch.events
        cursors.append(batch.cursor)
        if enough(events, cursors):
            return events, cursors
    return events, cursors


def ids(events):
    return [event.data["id"] for event in events if event.type == "status"]


class StreamsTest(unittest.TestCase):
    def server(self, handler):
        server = Fake(handler)
        self.addCleanup(server.close)
        return server

    def client(self, server, token=TOKEN, **options):
        client = Fanfare(server.url, token, **options)
        self.addCleanup(client.close)
        return client

    def test_events_are_typed_and_a_batch_has_the_cursor_after_its_last_event(self):
        text = (
            hello("5f3a9c01-1")
            + status(2, "7")
            + 'id: 5f3a9c01-3\nevent: status.update\ndata: {"id":"7"}\n\n'
            + 'id: 5f3a9c01-4\nevent: delete\ndata: {"id":"7","account_id":"1","deleted":true}\n\n'
            + 'event: vote\ndata: {"id":"9","account_id":"1","votes":2,"score":3}\n\n'
            + 'id: 5f3a9c01-5\nevent: invented\ndata: {"later":"version"}\n\n'
            + "id: 5f3a9c01-6\n\n"
        )
        stream = self.client(self.server(always(STREAM + text))).streams.firehose().open()
        events, cursors = take(stream, lambda _, found: found[-1] == "5f3a9c01-6")
        self.assertEqual(
            [(event.type, event.id) for event in events],
            [("hello", "5f3a9c01-1"), ("status", "5f3a9c01-2"), ("edit", "5f3a9c01-3"), ("delete", "5f3a9c01-4"), ("vote", None)],
        )

    def test_a_heartbeat_hands_over_a_cursor_without_events(self):
        async def handler(_request, writer, _n):
            writer.write((STREAM + hello("5f3a9c01-1")).encode())
            await asyncio.sleep(0.1)
            writer.write(b"id: 5f3a9c01-9\n\n")

        _, cursors = take(self.client(self.server(handler)).streams.firehose().open(), lambda _, found: len(found) == 2)
        self.assertEqual(cursors, ["5f3a9c01-1", "5f3a9c01-9"])

    def test_a_cut_in_the_middle_of_an_event_drops_it_and_the_next_connection_resumes_before_it(self):
        async def handler(_request, writer, n):
            if n == 1:
                writer.write((STREAM + hello("5f3a9c01-1") + status(2) + status(3)[:-5]).encode())
                await writer.drain()
                writer.close()
            else:
                writer.write((STREAM + hello("5f3a9c01-2") + status(3)).encode())

        server, retries = self.server(handler), []
        stream = self.client(server).streams.firehose().open(on_retry=lambda *given: retries.append(given))
        events, _ = take(stream, lambda seen, _: len(ids(seen)) == 2)
        self.assertEqual(ids(events), ["1002", "1003"])
        self.assertEqual([request.query("last_event_id") for request in server.requests], [None, "5f3a9c01-2"])
        error, wait, attempt = retries[0]
        self.assertIsInstance(error, NetworkError)
        self.assertLessEqual(wait, 0.25)
        self.assertEqual((len(retries), attempt), (1, 1))

    def test_each_compressed_event_is_handed_over_before_the_server_sends_another(self):
        handed_over = threading.Semaphore(0)

        async def handler(request, writer, _n):
            self.assertEqual(request.header("accept-encoding"), "gzip")
            gzip = Gzip()
            writer.write(COMPRESSED.encode() + gzip.flushed(hello("5f3a9c01-1")))
            for seq in range(2, 6):
                await asyncio.get_running_loop().run_in_executor(None, handed_over.acquire, True, 10)
                writer.write(gzip.flushed(status(seq)))

        events = []
        with self.client(self.server(handler)).streams.firehose().open() as stream:
            for batch in stream:
                events += batch.events
                self.assertEqual(len(batch.events), 1)
                if len(events) == 5:
                    break
                handed_over.release()
        self.assertEqual(ids(events), ["1002", "1003", "1004", "1005"])

    def test_large_events_are_whole_at_once_however_their_gzip_is_cut(self):
        handed_over = threading.Semaphore(0)
        # About as long as the pieces in which it is decoded.
        events = [status(seq).replace("}", ',"content":"%s"}' % ("x" * (65536 + seq - 150))) for seq in range(2, 130)]

        async def handler(_request, writer, _n):
            gzip = Gzip()
            writer.write(COMPRESSED.encode() + gzip.flushed(hello("5f3a9c01-1")))
            for event in events:
                writer.write(gzip.flushed(event))
                await asyncio.get_running_loop().run_in_executor(None, handed_over.acquire, True, 10)

        with self.client(self.server(handler)).streams.firehose().open() as stream:
            came = 0
            for batch in stream:
                for _ in ids(batch.events):
                    came += 1
                    handed_over.release()
                if came == len(events):
                    break

    def test_broken_gzip_and_an_end_in_its_middle_resume_after_the_last_event(self):
        async def handler(_request, writer, n):
            gzip = Gzip()
            writer.write(COMPRESSED.encode() + gzip.flushed(hello(f"5f3a9c01-{n}") + status(n + 1)))
            if n <= 2:
                await writer.drain()
                if n == 1:
                    await asyncio.sleep(0.1)  # zlib drops what a chunk has before its broken part
                    writer.write(b"\xff" * 40)
                else:
                    writer.write(gzip.flushed(status(4))[:-9])
                    await writer.drain()
                    writer.close()

        retries, server = [], self.server(handler)
        stream = self.client(server).streams.firehose().open(on_retry=lambda error, *_: retries.append(type(error)))
        events, _ = take(stream, lambda seen, _: len(ids(seen)) == 3)
        self.assertEqual(ids(events), ["1002", "1003", "1004"])
        self.assertEqual(retries, [ProtocolError, NetworkError])
        self.assertEqual([request.query("last_event_id") for request in server.requests], [None, "5f3a9c01-2", "5f3a9c01-3"])

    def test_gzip_that_is_broken_three_times_ends_the_stream(self):
        server = self.server(always(COMPRESSED + "no gzip at all"))
        with self.assertRaisesRegex(ProtocolError, "no gzip"):
            next(self.client(server).streams.firehose().open())
        self.assertEqual(len(server.requests), 3)

    def test_the_end_of_gzip_ends_the_connection_and_another_member_goes_on(self):
        first, second = Gzip(), Gzip()
        body = first.flushed(hello("5f3a9c01-1") + status(2)) + first.end() + second.flushed(status(3)) + second.end()
        head = COMPRESSED.replace("\r\n\r\n", f"\r\nContent-Length: {len(body)}\r\n\r\n").encode()
        server = self.server(by_number(lambda n: head + body if n == 1 else answer(204)))
        events, _ = take(self.client(server).streams.firehose().open(), lambda *_: False)
        self.assertEqual(ids(events), ["1002", "1003"])

    def test_what_a_server_repeats_is_dropped_but_not_what_follows_a_gap_with_the_reason_future(self):
        gap = 'event: gap\ndata: {"from":null,"to":null,"reason":"future","missed":null}\n\n'
        again = hello("5f3a9c01-5") + status(6) + status(7) + status(8) + gap + status(2) + status(3)

        async def handler(_request, writer, n):
            writer.write((STREAM + (hello("5f3a9c01-5") + status(6) + status(7) if n == 1 else again)).encode())
            if n == 1:
                await writer.drain()
                writer.close()

        events, cursors = take(self.client(self.server(handler)).streams.firehose().open(), lambda seen, _: len(ids(seen)) >= 5)
        self.assertEqual(ids(events), ["1006", "1007", "1008", "1002", "1003"])
        self.assertEqual(cursors[-1], "5f3a9c01-3")

    def test_a_gap_is_an_event_and_on_gap_is_called_before_it_on_the_thread_of_the_consumer(self):
        server = self.server(always(STREAM + hello() + GAP + status(91)))
        order = []
        stream = self.client(server).streams.firehose().after("5f3a9c01-2")
        stream = stream.open(on_gap=lambda gap: order.append((gap["missed"], threading.current_thread())))
        events, _ = take(stream, lambda seen, _: len(seen) > 2)
        self.assertEqual(order, [(88, threading.current_thread())])
        self.assertEqual([event.type for event in events], ["hello", "gap", "status"])

    def test_the_events_before_a_gap_are_handed_over_before_on_gap_is_called(self):
        server, order = self.server(always(STREAM + hello() + status(2) + GAP + status(91))), []
        with self.client(server).streams.firehose().open(on_gap=lambda _: order.append("on_gap")) as stream:
            for batch in stream:
                order += [event.type for event in batch.events]
                if "gap" in order:
                    break
        self.assertEqual(order, ["hello", "status", "on_gap", "gap", "status"])

    def test_final_answers_end_the_stream_with_the_sentence(self):
        for code in (400, 401, 403, 404, 405, 406, 410, 413, 414, 415, 416, 422, 451):
            server = self.server(always(answer(code, {"error": "No.", "param": "track"})))
            with self.assertRaises(ApiError) as refused:
                next(self.client(server).streams.firehose().open())
            self.assertEqual((refused.exception.status, str(refused.exception)), (code, f"No. (stream: {code})"))
            self.assertEqual((refused.exception.param, len(server.requests)), ("track", 1))

    def test_temporary_answers_are_tried_again_after_retry_after(self):
        for code in (408, 425, 429, 500, 502, 503, 504):
            good = STREAM + hello("5f3a9c01-1")
            server = self.server(by_number(lambda n, code=code: answer(code, "<html>", Retry_After=1) if n == 1 else good))
            waits = []
            with self.client(server).streams.firehose().open(on_retry=lambda error, wait, _: waits.append((error.status, wait))) as stream:
                next(stream)
            self.assertEqual(waits, [(code, 1)])

    def test_a_disconnect_ends_or_reconnects_by_its_code_and_its_retry(self):
        def opened(code, waits):
            bye = f'retry: 70\nevent: disconnect\ndata: {{"code":{code},"message":"Bye."}}\n\n'
            server = self.server(by_number(lambda n: STREAM + hello(f"5f3a9c01-{n}") + (bye if n == 1 else "")))
            stream = self.client(server).streams.firehose().open(on_retry=lambda _, wait, __: waits.append(wait))
            next(stream)
            return stream

        for code in (1, 3, 4, 6, 10, 12):
            waits = []
            next(opened(code, waits))
            self.assertEqual(waits, [0.07], code)
        with self.assertRaisesRegex(NetworkError, "Bye"):
            next(opened(7, []))
        with self.assertRaises(StopIteration):
            next(opened(9, []))

    def test_204_ends_a_stream_without_an_error(self):
        server = self.server(always(b"HTTP/1.1 204 No Content\r\n\r\n"))
        stream = self.client(server).streams.firehose().count(-3).after("5f3a9c01-7-end").open()
        self.assertEqual(list(stream), [])
        self.assertEqual((server.requests[0].query("last_event_id"), server.requests[0].query("count")), ("5f3a9c01-7-end", "-3"))

    def test_a_page_of_another_server_is_an_error_at_once(self):
        server = self.server(always(answer(200, "<html>", Content_Type="text/html")))
        with self.assertRaises(ProtocolError):
            next(self.client(server).streams.firehose().open())

    def test_streams_that_break_the_rules_three_times_end_with_an_error(self):
        cases = {
            "data that is no JSON": "event: status\ndata: {oops\n\n",
            "data that is a list": "event: status\ndata: []\n\n",
            "data that is null": "event: gap\ndata: null\n\n",
            "data that is nested too deep": "event: status\ndata: " + "[" * 30_000 + "\n\n",
            "a status without id": 'id: 5f3a9c01-2\nevent: status\ndata: {"id":{}}\n\n',
            "an id that is no position": "id: nonsense\n\n",
            "a line without end": "data: " + "x" * 70_000,
            "an event of many lines": "data: y\n" * 20_000,
        }
        for name, text in cases.items():
            server = self.server(always(STREAM + hello("5f3a9c01-1") + text))
            with self.assertRaises(ProtocolError, msg=name):
                take(self.client(server).streams.firehose().open(max_event_bytes=65_536), lambda *_: False)
            self.assertEqual(len(server.requests), 3, name)

    def test_an_endless_line_and_a_consumer_that_does_not_read_need_bounded_memory(self):
        sent = [0]

        async def endless(_request, writer, _n):
            writer.write((STREAM + hello("5f3a9c01-1") + "data: ").encode())
            while True:
                writer.write(b"z" * 65_536)
                sent[0] += 65_536
                await writer.drain()

        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with self.assertRaises(ProtocolError):
            take(self.client(self.server(endless)).streams.firehose().open(), lambda *_: False)
        self.assertLess(sent[0], 64 << 20)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 200 << 10)

        async def fast(_request, writer, _n):
            writer.write((STREAM + hello("5f3a9c01-1")).encode())
            for seq in range(2, 1 << 30, 500):
                text = "".join(status(seq + at) for at in range(500)).encode()
                sent[0] += len(text)
                writer.write(text)
                await writer.drain()

        sent[0] = 0
        stream = self.client(self.server(fast)).streams.firehose().open()
        first = next(stream)
        time.sleep(1)
        self.assertLess(sent[0], 24 << 20)
        self.assertLessEqual(len(first.events), 500)
        events, _ = take(stream, lambda seen, _: len(seen) > 20_000)
        seen = [int(one) for one in ids(first.events + events)]
        self.assertEqual(seen, list(range(1002, 1002 + len(seen))))
        stream.close()

    def test_a_silent_connection_one_without_whole_events_and_one_without_an_answer_count_as_cut(self):
        async def handler(_request, writer, n):
            if n == 3:
                return
            writer.write((STREAM + hello(f"5f3a9c01-{n}")).encode())
            while n == 2 and not writer.is_closing():
                writer.write(b"x")
                await asyncio.sleep(0.05)

        reasons = []
        stream = self.client(self.server(handler)).streams.firehose()
        with stream.open(silence=0.6, on_retry=lambda error, *_: reasons.append(str(error))) as opened:
            take(opened, lambda _, cursors: len(cursors) == 3)
        self.assertEqual(reasons, ["The server is silent.", "The server sends no whole event.", "The server does not answer."])

    def test_change_replaces_the_filter_on_the_open_stream_and_later(self):
        async def handler(request, writer, _n):
            writer.write(answer(200, {"conn": "c1"}) if request.line.startswith("PUT") else (STREAM + hello("5f3a9c01-1")).encode())

        server = self.server(handler)
        streams = self.client(server).streams
        stream = streams.filter().track("good morning", "hello").follow("8").language("en").rate(50).max_rate(3).open()
        next(stream)
        self.assertTrue(server.requests[0].line.startswith("POST /api/v1/streaming/filter?max_rate=3 "))
        self.assertEqual(server.requests[0].body, "track=good+morning%2Chello&follow=8&language=en&rate=50")
        stream.change(streams.filter().track("other"))
        self.assertEqual(server.requests[1].line, "PUT /api/v1/streaming/connections/c1/filter HTTP/1.1")
        server.cut()
        next(stream)
        self.assertEqual(server.requests[-1].body, "track=other")
        self.assertEqual(server.requests[-1].query("max_rate"), "3")
        stream.close()

    def test_change_reconnects_when_the_server_does_not_know_the_connection(self):
        async def handler(request, writer, _n):
            writer.write(answer(404, {"error": "Record not found"}) if request.line.startswith("PUT") else (STREAM + hello("5f3a9c01-1")).encode())

        server = self.server(handler)
        streams = self.client(server).streams
        stream = streams.filter().track("one").open()
        next(stream)
        got = []
        consumer = threading.Thread(target=lambda: got.append(next(stream)))
        consumer.start()
        stream.change(streams.filter().track("two"))
        consumer.join(10)
        self.assertEqual(len(got), 1)
        self.assertEqual((server.requests[-1].body, server.requests[-1].query("last_event_id")), ("track=two", "5f3a9c01-1"))
        stream.close()

    def test_change_between_two_reads_reconnects_when_the_server_does_not_know_the_connection(self):
        async def handler(request, writer, n):
            put = request.line.startswith("PUT")
            writer.write(answer(404, {"error": "Record not found"}) if put else (STREAM + hello(f"5f3a9c01-{n}")).encode())

        server, retries = self.server(handler), []
        streams = self.client(server).streams
        with streams.filter().track("one").open(silence=2, on_retry=lambda *given: retries.append(given)) as stream:
            next(stream)
            stream.change(streams.filter().track("two"))
            next(stream)
        self.assertEqual(retries, [])
        self.assertEqual([request.body for request in server.requests], ["track=one", "track=two", "track=two"])
        self.assertTrue(server.requests[2].line.startswith("POST "))

    def test_a_client_that_has_only_tickets_changes_its_filter_by_a_new_connection(self):
        server, tickets = self.server(always(STREAM + hello("5f3a9c01-1"))), iter(("t1", "t2"))
        streams = self.client(server, None, ticket=lambda: next(tickets)).streams
        with streams.filter().track("one").open() as stream:
            next(stream)
            stream.change(streams.filter().track("two"))
            next(stream)
        sent = [(request.line.split(" ")[0], request.query("ticket"), request.body) for request in server.requests]
        self.assertEqual(sent, [("POST", "t1", "track=one"), ("POST", "t2", "track=two")])

    def test_each_connection_gets_its_own_ticket_in_place_of_the_token(self):
        async def handler(_request, writer, _n):
            writer.write((STREAM + hello("5f3a9c01-1")).encode())
            await writer.drain()
            writer.close()

        server, tickets = self.server(handler), []

        def ticket():
            tickets.append(f"t{len(tickets)}")
            if len(tickets) == 2:
                raise OSError("no ticket")
            return tickets[-1]

        with self.client(server, ticket=ticket).streams.filter().track("a").open() as stream:
            next(stream)
            next(stream)
        self.assertEqual([request.query("ticket") for request in server.requests], ["t0", "t2"])
        self.assertIsNone(server.requests[0].header("authorization"))

    def test_close_waits_from_another_thread_in_the_loop_and_twice(self):
        server = self.server(always(STREAM + hello("5f3a9c01-1")))
        streams = self.client(server).streams
        stream = streams.firehose().open()
        next(stream)
        rest = []
        consumer = threading.Thread(target=lambda: rest.extend(stream))
        consumer.start()
        stream.close()
        stream.close()
        consumer.join(10)
        self.assertFalse(consumer.is_alive())
        self.assertEqual((rest, list(stream)), ([], []))
        batches = 0
        inside = streams.firehose().open()
        for _ in inside:
            batches += 1
            inside.close()
        self.assertEqual(batches, 1)
        streams.firehose().open().close()
        for _ in range(500):
            if not server.writers:
                break
            time.sleep(0.01)
        self.assertEqual(server.writers, set())

    def test_a_cancelled_consumer_of_asyncio_loses_no_batch(self):
        async def handler(_request, writer, _n):
            writer.write((STREAM + hello("5f3a9c01-1")).encode())
            for seq in range(2, 42):
                await asyncio.sleep(0.01)
                writer.write(status(seq).encode())
                await writer.drain()

        server = self.server(handler)

        async def consume():
            seen = []
            async with AsyncFanfare(server.url, TOKEN) as fanfare:
                async with fanfare.streams.firehose().open() as stream:
                    for number in range(400):
                        try:
                            batch = await asyncio.wait_for(stream.__anext__(), 0.001 * (number % 17))
                            seen += ids(batch.events)
                        except asyncio.TimeoutError:
                            continue
                        if len(seen) >= 40:
                            break
            return seen

        self.assertEqual(asyncio.run(consume()), [str(1002 + n) for n in range(40)])
        self.assertEqual(len(server.requests), 1)

    def test_fill_gap_walks_forward_and_the_stream_does_not_repeat_what_was_filled(self):
        pages = [[{"id": "12"}, {"id": "11"}], [{"id": "13"}], []]

        async def handler(request, writer, _n):
            stream = STREAM + hello() + GAP + status(91, "13") + status(92, "14")
            writer.write(answer(200, pages.pop(0)) if "/timelines/" in request.line else stream.encode())

        server, filled = self.server(handler), []
        stream = self.client(server).streams.home().after("5f3a9c01-2")
        stream = stream.open(on_gap=lambda _: filled.extend(one["id"] for one in stream.fill_gap("10")))
        events, _ = take(stream, lambda seen, _: len(seen) > 2)
        self.assertEqual((filled, ids(events)), (["11", "12", "13"], ["14"]))
        walks = [request for request in server.requests if "/timelines/home" in request.line]
        self.assertEqual([request.query("min_id") for request in walks], ["10", "12", "13"])

    def test_fill_gap_begins_before_the_last_gap_also_while_the_batch_of_the_gap_is_handled(self):
        async def handler(request, writer, _n):
            if "/timelines/" in request.line:
                writer.write(answer(200, [{"id": "1050"}] if request.query("min_id") == "1002" else []))
            else:
                writer.write((STREAM + hello() + status(2) + GAP + status(91)).encode())

        with self.client(self.server(handler)).streams.home().open() as stream:
            batch = next(one for one in stream if any(event.type == "gap" for event in one.events))
            self.assertEqual(ids(batch.events), ["1091"])
            self.assertEqual([one["id"] for one in stream.fill_gap()], ["1050"])

    def test_bad_arguments_get_a_sentence_and_send_nothing(self):
        server = self.server(always(""))
        streams = self.client(server).streams
        bad = [
            lambda: streams.filter().open(),
            lambda: streams.filter().track(),
            lambda: streams.filter().track(""),
            lambda: streams.filter().track("a,b"),
            lambda: streams.filter().track("a，b"),
            lambda: streams.filter().track(7),
            lambda: streams.filter().locations(),
            lambda: streams.filter().locations((1, 2, 3)),
            lambda: streams.filter().locations((1, 2, 3, float("nan"))),
            lambda: streams.firehose().track("a"),
            lambda: streams.home().rate(3),
            lambda: streams.home().partition(0, 2),
            lambda: streams.firehose().fields("content,account"),
            lambda: streams.filter().replies("all"),
            lambda: streams.firehose().after("nonsense"),
            lambda: streams.firehose().after(7),
            lambda: streams.firehose().open(max_event_bytes=0),
            lambda: streams.firehose().open(silence=-1),
            lambda: streams.firehose().open().change(streams.filter().track("a")),
            lambda: list(streams.firehose().open().fill_gap()),
        ]
        for number, call in enumerate(bad):
            with self.assertRaises(UsageError, msg=str(number)) as refused:
                call()
            self.assertTrue(str(refused.exception).endswith("."), str(refused.exception))
        self.assertEqual(server.requests, [])

    def test_a_builder_is_immutable(self):
        builder = self.client(self.server(always(""))).streams.filter().track("a")
        builder.track("b").follow("1")
        self.assertEqual(builder.parameters, {"track": "a"})
        part = builder.partition(1, 4).fields("content").fields("account")
        self.assertEqual(part.parameters, {"track": "a", "partition": "1/4", "fields": "content,account"})


if __name__ == "__main__":
    unittest.main()
