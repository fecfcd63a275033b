"""What the client sends, and what it makes of answers. Faults of the connection are in `faults.py`."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
import unittest
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Tuple
from uuid import UUID

import anyio

import postrider
from postrider import (
    ApiConnectionError,
    ApiError,
    AsyncPostrider,
    BatchError,
    ConflictError,
    PermissionDeniedError,
    Postrider,
    PostriderError,
    RateLimitError,
    ValidationError,
    WebhookVerificationError,
    verify_step,
    verify_webhook,
)
from postrider._batch import parts_of

Answer = Tuple[int, Any, Dict[str, str]]
EMAIL = {"to": "reader@example.com", "from": "a@example.com", "subject": "S", "body": "<p>B</p>"}
AT = "2026-01-01T00:00:00.000Z"


class Received:
    def __init__(self, method: str, path: str, headers: Dict[str, str], body: bytes) -> None:
        self.method, self.path, self.headers, self.body = method, path, headers, body


class Server:
    """Answers each request with the next answer, the last one from then on, and records the requests."""

    def __init__(self, *answers: "Answer | Callable[[Received], Answer]") -> None:
        self.received: List[Received] = []
        self.clients: List[Postrider] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                received = Received(self.command, self.path, headers, body)
                outer.received.append(received)
                answer = answers[min(len(outer.received), len(answers)) - 1]
                status, content, more = answer(received) if callable(answer) else answer
                data = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {"content-length": str(len(data)), **more}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Server":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        return self

    def __exit__(self, *_: Any) -> None:
        for client in self.clients:
            client.close()
        self._server.shutdown()
        self._server.server_close()


def client_of(server: Server, **more: Any) -> Postrider:
    client = Postrider(**{"api_key": "sk_test", "base_url": server.url, **more})
    server.clients.append(client)
    return client


def ok(body: Any, **headers: str) -> Answer:
    return 200, body, headers


def refusal(status: int, code: str, headers: Optional[Dict[str, str]] = None, **more: Any) -> Answer:
    error = {"code": code, "statusCode": status, "message": code, "requestId": "r-1", "suggestion": "Try", **more}
    return status, {"success": False, "error": error, "timestamp": AT}, headers or {}


class Requests(unittest.TestCase):
    def test_have_their_input_in_path_query_and_body_and_the_key_in_a_header(self) -> None:
        with Server(ok({"data": [], "cursor": None})) as server:
            client = client_of(server, base_url=f"{server.url}/mail/")
            client.events.usage({"eventName": "signed up/eu?"})
            client.contacts.list({"limit": 5, "search": "a&b", "subscribed": False}).page()
            client.contacts.update({"id": "x", "subscribed": True})
            client.segments.remove_members({"id": "s", "emails": ["a@example.com"]})
            client.campaigns.cancel({"id": "c"})
            at = datetime(2026, 1, 1, tzinfo=timezone.utc)
            client.sending.list_emails({"from": at}).page()
            client.sending.reschedule({"id": "e", "scheduledAt": at})
        self.assertEqual(
            [(each.method, each.path, each.body.decode()) for each in server.received],
            [
                ("GET", "/mail/events/signed%20up%2Feu%3F/usage", ""),
                ("GET", "/mail/contacts?limit=5&search=a%26b&subscribed=false", ""),
                ("PATCH", "/mail/contacts/x", '{"subscribed":true}'),
                ("DELETE", "/mail/segments/s/members", '{"emails":["a@example.com"]}'),
                ("POST", "/mail/campaigns/c/cancel", ""),
                ("GET", "/mail/emails?from=2026-01-01T00%3A00%3A00%2B00%3A00", ""),
                ("PATCH", "/mail/emails/e", '{"scheduledAt":"2026-01-01T00:00:00+00:00"}'),
            ],
        )
        self.assertEqual(server.received[0].headers["authorization"], "Bearer sk_test")

    def test_never_address_another_path_by_an_empty_id(self) -> None:
        with Server(ok({})) as server:
            for id in ("", ".", ".."):
                with self.assertRaisesRegex(PostriderError, "id must be"):
                    client_of(server).contacts.delete({"id": id})
        self.assertEqual(server.received, [])

    def test_send_bytes_ids_and_tuples_as_json_and_name_what_is_none(self) -> None:
        with Server(ok({"success": True, "data": {"emails": [], "timestamp": AT}})) as server:
            client = client_of(server)
            id = UUID(int=1)
            attachments = [{"filename": "a.txt", "content": b"Hello"}]
            client.send({**EMAIL, "attachments": attachments, "data": {"id": id, "list": (1, 2)}})  # type: ignore[typeddict-item]
            sent = json.loads(server.received[0].body)
            self.assertEqual(sent["attachments"][0]["content"], "SGVsbG8=")
            self.assertEqual(sent["data"], {"id": str(id), "list": [1, 2]})
            loop: Dict[str, Any] = {}
            loop["loop"] = loop
            for value in (datetime(2026, 1, 1), float("nan"), object(), {1}, loop):
                with self.assertRaisesRegex(PostriderError, "The input is no JSON"):
                    client.send({**EMAIL, "data": {"value": value}})  # type: ignore[typeddict-item]
        self.assertEqual(len(server.received), 1)

    def test_have_files_in_a_form(self) -> None:
        with Server(ok({"jobId": "j"})) as server:
            client_of(server).contacts.import_({"file": ("people.csv", b"email\n", "text/csv"), "subscribed": "keep"})
        (form,) = server.received
        self.assertRegex(form.headers["content-type"], "^multipart/form-data; boundary=")
        self.assertIn(b'name="file"; filename="people.csv"\r\nContent-Type: text/csv\r\n\r\nemail\n', form.body)
        self.assertIn(b'name="subscribed"\r\n\r\nkeep', form.body)

    def test_of_a_dry_run_say_so_and_use_no_key_up(self) -> None:
        dry = {"dry-run": "true"}
        emails = 200, {"success": True, "data": {"emails": [], "timestamp": AT}}, dry
        with Server((503, b"", {}), emails, (200, {}, dry)) as server:
            client = client_of(server)
            client.send(EMAIL, dry_run=True, idempotency_key="1")  # type: ignore[arg-type]
            client.contacts.upsert({"email": "a@example.com"}, dry_run=True)
        self.assertEqual([each.headers["dry-run"] for each in server.received], ["true"] * 3)
        self.assertEqual([each.headers.get("idempotency-key") for each in server.received], [None] * 3)

    def test_of_a_dry_run_fail_where_the_server_has_carried_it_out(self) -> None:
        with Server(ok({})) as server:
            with self.assertRaisesRegex(PostriderError, "no dry runs"):
                client_of(server).contacts.upsert({"email": "a@example.com"}, dry_run=True)
        self.assertEqual(len(server.received), 1)

    def test_are_refused_before_they_are_sent_where_the_client_is_wrong(self) -> None:
        for key in ("", "whsec_1", "sk_", "sk_1\n"):
            with self.assertRaisesRegex(PostriderError, "api_key must be"):
                Postrider(api_key=key, base_url="http://localhost")
        for address in ("", "mail.example.com", "ftp://a"):
            with self.assertRaisesRegex(PostriderError, "base_url must be"):
                Postrider(api_key="sk_1", base_url=address)
        with Server(ok({})) as server:
            for key in ("", "ö", "a\r\nb", "x" * 256):
                with self.assertRaisesRegex(PostriderError, "idempotency_key must be"):
                    client_of(server).send(EMAIL, idempotency_key=key)  # type: ignore[arg-type]
        self.assertEqual(server.received, [])

    def test_track_by_the_public_endpoint_with_a_public_key(self) -> None:
        tracked = {"contact": "c", "event": "e", "timestamp": AT}
        with Server(ok({"success": True, "data": tracked}), ok({"id": "e", "contactId": "c", "createdAt": AT})) as server:
            for key in ("pk_1", "sk_1"):
                made = client_of(server, api_key=key).track({"email": "a@example.com", "event": "signed_up"})
                self.assertEqual((made.contact, made.event, made.timestamp, made.repeated), ("c", "e", AT, False))
        self.assertEqual([each.path for each in server.received], ["/v1/track", "/events/track"])


class Retries(unittest.TestCase):
    def test_of_a_change_without_a_key_happen_after_429_only(self) -> None:
        with Server((502, b"bad gateway", {}), ok({})) as server:
            with self.assertRaises(ApiError):
                client_of(server).contacts.upsert({"email": "a@example.com"})
            self.assertEqual(len(server.received), 1)
        with Server(refusal(429, "RATE_LIMIT_EXCEEDED", {"retry-after": "0"}), ok({})) as server:
            client_of(server).contacts.upsert({"email": "a@example.com"})
            self.assertEqual(len(server.received), 2)

    def test_wait_as_long_as_the_answer_asks_for(self) -> None:
        for headers in ({"retry-after": "1"}, {"ratelimit-remaining": "0", "ratelimit-reset": "1"}):
            with Server(refusal(429, "RATE_LIMIT_EXCEEDED", headers), ok([])) as server:
                begun = time.monotonic()
                client_of(server).events.names()
                self.assertGreaterEqual(time.monotonic() - begun, 1)

    def test_are_no_longer_and_no_more_than_the_client_allows(self) -> None:
        with Server(refusal(429, "RATE_LIMIT_EXCEEDED", {"retry-after": "3600"})) as server:
            with self.assertRaises(RateLimitError):
                client_of(server).events.names()
            self.assertEqual(len(server.received), 1)
        with Server(refusal(429, "RATE_LIMIT_EXCEEDED", {"retry-after": "0"})) as server:
            with self.assertRaises(RateLimitError):
                client_of(server, max_retries=3).events.names()
            self.assertEqual(len(server.received), 4)

    def test_end_with_a_connection_error_when_there_is_no_server(self) -> None:
        client = Postrider(api_key="sk_1", base_url="http://127.0.0.1:9", max_retries=0)
        with self.assertRaises(ApiConnectionError):
            client.events.names()


class Errors(unittest.TestCase):
    def test_have_the_code_status_fields_advice_and_request_id(self) -> None:
        errors = [{"field": "email", "message": "Required", "code": "required"}]
        with Server(refusal(422, "VALIDATION_ERROR", errors=errors, details={"a": 1})) as server:
            with self.assertRaises(ValidationError) as caught:
                client_of(server).contacts.upsert({"email": ""})
        error = caught.exception
        self.assertEqual((error.code, error.status, error.request_id), ("VALIDATION_ERROR", 422, "r-1"))
        self.assertEqual((error.errors, error.details, error.suggestion), (errors, {"a": 1}, "Try"))

    def test_are_read_from_whatever_answers(self) -> None:
        for answer, kind, code, message in (
            ((400, {"error": "email is required"}, {}), ApiError, "BAD_REQUEST", "email is required"),
            (
                (400, {"errors": [{"message": "Too deep", "extensions": {"code": "QUERY_TOO_COMPLEX"}}]}, {}),
                ApiError,
                "QUERY_TOO_COMPLEX",
                "Too deep",
            ),
            ((403, b"<html>no</html>", {}), PermissionDeniedError, "UNEXPECTED_RESPONSE", "The answer has status 403"),
            ((400, [1], {}), ApiError, "UNEXPECTED_RESPONSE", "The answer has status 400"),
            ((400, {"error": {"code": 1, "errors": 2}}, {}), ApiError, "UNEXPECTED_RESPONSE", "The answer has status 400"),
            ((400, {"errors": "none"}, {}), ApiError, "UNEXPECTED_RESPONSE", "The answer has status 400"),
            ((400, b"[" * 100_000, {}), ApiError, "UNEXPECTED_RESPONSE", "The answer has status 400"),
            ((302, b"", {"location": "/elsewhere"}), ApiError, "UNEXPECTED_RESPONSE", "The answer has status 302"),
        ):
            with Server(answer) as server:
                with self.assertRaises(kind) as caught:
                    client_of(server).events.names()
                self.assertEqual((caught.exception.code, str(caught.exception)), (code, message))

    def test_do_not_show_the_key(self) -> None:
        client = Postrider(api_key="sk_secret", base_url="http://localhost")
        self.assertNotIn("sk_secret", repr(client._core.connection))


class Lists(unittest.TestCase):
    pages = [ok({"data": [1, 2], "cursor": "b"}), ok({"data": [], "cursor": "c"}), ok({"data": [3], "cursor": None})]

    def test_give_a_page_or_all_items(self) -> None:
        with Server(self.pages[0], *self.pages) as server:
            contacts = client_of(server).contacts.list({"limit": 2})
            self.assertEqual(server.received, [])
            self.assertEqual(contacts.page()["cursor"], "b")
            self.assertEqual(list(contacts), [1, 2, 3])
        paths = ["/contacts?limit=2", "/contacts?limit=2", "/contacts?limit=2&cursor=b", "/contacts?limit=2&cursor=c"]
        self.assertEqual([each.path for each in server.received], paths)

    def test_count_the_pages_of_a_page_list(self) -> None:
        with Server(*(ok({"data": [n], "page": n, "totalPages": 2}) for n in (1, 2))) as server:
            self.assertEqual(list(client_of(server).templates.list()), [1, 2])
        self.assertEqual([each.path for each in server.received], ["/templates", "/templates?page=2"])

    def test_are_the_same_for_the_asynchronous_client_with_asyncio(self) -> None:
        async def items(url: str) -> List[Any]:
            async with AsyncPostrider(api_key="sk_1", base_url=url) as client:
                return [each async for each in client.contacts.list()]

        with Server(*self.pages) as server:
            self.assertEqual(anyio.run(items, server.url), [1, 2, 3])


class Batches(unittest.TestCase):
    def results(self, received: Received) -> Answer:
        emails = json.loads(received.body)["emails"]
        results = [
            {"index": index, "status": "REFUSED", "error": {"code": "VALIDATION_ERROR"}}
            if each["subject"] == "wrong"
            else {"index": index, "status": "ACCEPTED", "emails": [{"email": each["subject"]}]}
            for index, each in enumerate(emails)
        ]
        refused = sum(1 for each in results if each["status"] == "REFUSED")
        data = {"results": results, "accepted": len(results) - refused, "refused": refused, "timestamp": AT}
        return ok({"success": True, "data": data})

    def test_are_split_and_joined_in_order_with_keys_of_their_own(self) -> None:
        emails: List[Any] = [{**EMAIL, "subject": str(n)} for n in range(1_500)]
        emails[1_200]["subject"] = "wrong"
        with Server(self.results) as server:
            sent = client_of(server).send_batch(emails, idempotency_key="orders")
        self.assertEqual((sent.accepted, sent.refused, sent.repeated, sent.timestamp), (1_499, 1, False, AT))
        self.assertEqual([each["index"] for each in sent.results], list(range(1_500)))
        self.assertEqual([n for n, each in enumerate(sent.results) if each["status"] == "REFUSED"], [1_200])
        self.assertEqual(
            [(each.headers["idempotency-key"], len(json.loads(each.body)["emails"])) for each in server.received],
            [("orders", 1_000), ("orders/1", 500)],
        )

    def test_count_recipients(self) -> None:
        many: Any = {"to": ["a@example.com"] * 400, "cc": "b@example.com", "bcc": ["c@example.com"]}
        self.assertEqual([len(part) for part in parts_of([many, many, many, {"to": "a"}, {}])], [2, 3])
        self.assertEqual([len(part) for part in parts_of([{"to": ["a"] * 5_000}, {"to": "a"}])], [1, 1])
        self.assertEqual([len(part) for part in parts_of([])], [0])

    def test_that_are_atomic_are_one_request(self) -> None:
        with Server(self.results) as server:
            client = client_of(server)
            client.send_batch([EMAIL], atomic=True)  # type: ignore[list-item]
            with self.assertRaisesRegex(PostriderError, "at most 1000 emails"):
                client.send_batch([EMAIL] * 1_001, atomic=True)  # type: ignore[list-item]
        self.assertEqual([json.loads(each.body)["atomic"] for each in server.received], [True])

    def test_that_fail_in_between_have_the_results_before_and_the_key_to_go_on(self) -> None:
        emails: List[Any] = [EMAIL] * 1_500
        with Server(self.results, refusal(402, "BILLING_LIMIT_EXCEEDED")) as server:
            with self.assertRaises(BatchError) as caught:
                client_of(server).send_batch(emails)
        error = caught.exception
        self.assertEqual((error.done.accepted, len(error.done.results)), (1_000, 1_000))
        self.assertEqual(server.received[0].headers["idempotency-key"], error.idempotency_key)
        self.assertIsInstance(error.__cause__, ApiError)
        with Server(refusal(402, "BILLING_LIMIT_EXCEEDED")) as server:
            with self.assertRaises(postrider.BillingLimitError):
                client_of(server).send_batch(emails)


class RepeatedKeys(unittest.TestCase):
    def used(self, received: Received) -> Answer:
        digest = f"sha-256=:{base64.b64encode(hashlib.sha256(received.body).digest()).decode()}:"
        return refusal(
            409,
            "IDEMPOTENCY_KEY_REUSED",
            details={"originalRequestAt": AT, "originalDigest": digest, "emails": [{"email": "e-1"}]},
        )

    def test_give_the_first_result(self) -> None:
        with Server(self.used) as server:
            sent = client_of(server).send(EMAIL, idempotency_key="order-1")  # type: ignore[arg-type]
        self.assertEqual((sent.emails, sent.timestamp), ([{"email": "e-1"}], AT))
        self.assertEqual((sent.repeated, sent.answer_lost), (True, False))

    def test_of_an_api_without_digests_are_a_result_only_after_a_lost_answer(self) -> None:
        used = refusal(409, "IDEMPOTENCY_KEY_REUSED", details={"originalRequestAt": AT})
        limited = refusal(429, "RATE_LIMIT_EXCEEDED", {"retry-after": "0"})
        for answers in ((used,), (limited, used)):
            with Server(*answers) as server:
                with self.assertRaises(ConflictError):
                    client_of(server).send(EMAIL, idempotency_key="order-1")  # type: ignore[arg-type]
        with Server((503, b"", {}), used) as server:
            sent = client_of(server).send(EMAIL)  # type: ignore[arg-type]
        self.assertEqual((sent.emails, sent.repeated, sent.answer_lost), ([], True, True))


class Webhooks(unittest.TestCase):
    now = 1_767_225_610.0
    secret = "whsec_" + base64.b64encode(b"a secret of the endpoint, 32 byte").decode()
    other = "whsec_" + base64.b64encode(b"another secret, just as long as it").decode()
    body = json.dumps({"kind": "email.teleported", "type": "email.teleported", "data": {"name": "Zoë ✓"}}).encode()

    def signed(self, secret: Optional[str] = None, at: Optional[float] = None, body: Optional[bytes] = None) -> Dict[str, str]:
        seconds = int(at or self.now)
        key = base64.b64decode((secret or self.secret)[6:])
        text = f"msg_1.{seconds}.".encode() + (self.body if body is None else body)
        signature = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
        return {"webhook-id": "msg_1", "webhook-timestamp": str(seconds), "webhook-signature": f"v1,{signature}"}

    def test_are_accepted_as_signed_also_of_a_newer_kind(self) -> None:
        for payload, headers in (
            (self.body, self.signed()),
            (self.body.decode(), {name.title(): value for name, value in self.signed().items()}),
            (self.body, {name: [value] for name, value in self.signed().items()}),
        ):
            verified = verify_webhook(payload, headers, self.secret, now=self.now)
            self.assertEqual((verified.id, verified.event), ("msg_1", json.loads(self.body)))

    def test_are_accepted_by_any_secret_and_any_signature(self) -> None:
        verify_webhook(self.body, self.signed(self.other), [self.secret, self.other], now=self.now)
        both = f"v1a,AAAA {self.signed(self.other)['webhook-signature']} {self.signed()['webhook-signature']}"
        verify_webhook(self.body, {**self.signed(), "webhook-signature": both}, self.secret, now=self.now)

    def test_are_refused_otherwise(self) -> None:
        headers = self.signed()
        for body, given, secrets in (
            (self.body + b" ", headers, self.secret),
            (self.body, {**headers, "webhook-id": "msg_2"}, self.secret),
            (self.body, self.signed(self.other), self.secret),
            (self.body, {**headers, "webhook-timestamp": str(int(self.now) - 1)}, self.secret),
            (self.body, {**headers, "webhook-timestamp": "now"}, self.secret),
            (self.body, {**headers, "webhook-signature": ""}, self.secret),
            (self.body, {**headers, "webhook-signature": "v1,AAAA"}, self.secret),
            (self.body, {**headers, "webhook-signature": "v1,ö"}, self.secret),
            (self.body, {}, self.secret),
            (self.body, headers, []),
            (self.body, self.signed(at=self.now - 301), self.secret),
            (self.body, self.signed(at=self.now + 301), self.secret),
            (b"{", self.signed(body=b"{"), self.secret),
        ):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, given, secrets, now=self.now)
        verify_webhook(self.body, self.signed(at=self.now - 301), self.secret, now=self.now, tolerance=400)
        for secret in ("whsec_?", "whsec_"):
            with self.assertRaisesRegex(PostriderError, "whsec_ and base64"):
                verify_webhook(self.body, headers, secret, now=self.now)

    def test_of_steps_are_accepted_as_signed_and_refused_otherwise(self) -> None:
        def signed(body: bytes, secret: str = "s3cret", at: float = self.now) -> Dict[str, str]:
            text = f"{int(at)}.".encode() + body
            signature = hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
            return {"X-Postrider-Delivery": "d-1", "X-Postrider-Signature": f"t={int(at)},v1={signature}"}

        verified = verify_step(b'{"a":1}', signed(b'{"a":1}'), ["old", "s3cret"], now=self.now)
        self.assertEqual((verified.delivery, verified.body), ("d-1", {"a": 1}))
        self.assertIsNone(verify_step("", signed(b""), "s3cret", now=self.now).body)
        for body, headers in (
            (b'{"a":2}', signed(b'{"a":1}')),
            (b"", signed(b"", "other")),
            (b"", signed(b"", at=self.now - 301)),
            (b"", {**signed(b""), "X-Postrider-Signature": "v1=00"}),
            (b"", {"X-Postrider-Signature": "t=1,v1=00"}),
        ):
            with self.assertRaises(WebhookVerificationError):
                verify_step(body, headers, "s3cret", now=self.now)
        with self.assertRaisesRegex(PostriderError, "webhook secret of the project"):
            verify_step(b"", signed(b"", ""), "", now=self.now)


if __name__ == "__main__":
    unittest.main()
