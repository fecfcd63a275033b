"""What type checkers accept and refuse; `type: ignore` with a code is an error where nothing is wrong."""

from __future__ import annotations

from datetime import datetime, timezone

from postrider import AsyncPostrider, Postrider, verify_webhook
from postrider.types import Contact, SendEmailInput

client = Postrider(api_key="sk_1", base_url="http://localhost")
email: SendEmailInput = {
    "to": [{"email": "reader@example.com", "name": "Ada"}],
    "from": "hello@example.com",
    "subject": "Hello",
    "scheduledAt": datetime.now(timezone.utc),
}


def accepted() -> None:
    print(client.send(email, idempotency_key="order-1", timeout=5).emails[0]["status"])
    first: Contact = client.contacts.list({"limit": 1}).page()["data"][0]
    for contact in client.contacts.list():
        print(contact["email"], first["id"])
    print(client.contacts.get({"id": "1"}, dry_run=True)["externalId"])
    names: list[str] = [segment["name"] for segment in client.segments.list()]
    print(names, client.contacts.import_({"file": ("contacts.csv", b"email\n")})["jobId"])
    file: bytes = client.exports.file({"jobId": "1"})
    print(file)
    event = verify_webhook(b"", {}, "whsec_").event
    if event["kind"] == "email.bounce":
        print(event["data"]["bounceType"])


async def awaited(client: AsyncPostrider) -> None:
    async for contact in client.contacts.list():
        print(contact["email"])
    print((await client.segments.get({"id": "1"}))["name"])


def refused() -> None:
    client.send({"subject": "Hello"})  # type: ignore[typeddict-item]
    client.send({"to": "a@example.com", "sujbect": "Hello"})  # type: ignore[typeddict-unknown-key]
    client.contacts.get()  # type: ignore[call-arg]
    client.contacts.get({"id": 1})  # type: ignore[typeddict-item]
    client.contacts.list({}, idempotencykey="1")  # type: ignore[call-arg]
    client.contacts.list_all()  # type: ignore[attr-defined]
