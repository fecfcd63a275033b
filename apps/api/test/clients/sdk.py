"""Sends, reads a list and an error, tracks, iterates, and verifies webhooks of all kinds and a step, through the SDK for Python."""

import asyncio
import json
import sys

from postrider import AsyncPostrider, NotFoundError, Postrider, verify_step, verify_webhook

base_url, key, prefix, webhooks, step = sys.argv[1:]
from_ = "hello@mail.example.com"
search = {"search": prefix, "limit": 2, "sort": "email", "dir": "asc"}

with Postrider(api_key=key, base_url=base_url) as client:

    def send(to, **more):
        email = {"to": to, "subject": "Hello", "body": "<p>Hello</p>", "from": from_, **more}
        first = client.send(email, idempotency_key=f"{to}")
        again = client.send(email, idempotency_key=f"{to}")
        assert (first.repeated, again.repeated, again.answer_lost) == (False, True, False)
        assert [each["email"] for each in first.emails] == [each["email"] for each in again.emails]
        return first.emails

    one = send(f"{prefix}-1@example.com", attachments=[{"filename": "a.txt", "content": b"Hello"}])
    two = send([f"{prefix}-{n}@example.com" for n in (2, 3)])
    listed = client.contacts.list({"search": prefix}).page()
    iterated = [contact["email"] for contact in client.contacts.list(search)]
    try:
        client.contacts.get({"id": "01a1fbbb-6049-7208-955a-65aac1f35b72"})
    except NotFoundError as error:
        refused = error
    tracked = client.track({"email": f"{prefix}-1@example.com", "event": f"{prefix}-event"})
    events = client.events.list({"eventName": f"{prefix}-event"})["events"]
    assert tracked.event == events[0]["id"]
    csv = ("contacts.csv", f"email\n{prefix}-4@example.com\n".encode(), "text/csv")
    imported = client.contacts.import_({"file": csv})
    segment = client.segments.create({"name": prefix, "type": "STATIC"})
    emails = [f"{prefix}-2@example.com"]
    client.segments.add_members({"id": segment["id"], "emails": emails})
    removed = client.segments.remove_members({"id": segment["id"], "emails": emails})


async def iterate():
    async with AsyncPostrider(api_key=key, base_url=base_url) as client:
        return [contact["email"] async for contact in client.contacts.list(search)]


assert asyncio.run(iterate()) == iterated
with open(webhooks, encoding="utf8") as source:
    signed = json.load(source)
events = [verify_webhook(each["body"], each["headers"], each["secret"]).event for each in signed]
with open(step, encoding="utf8") as source:
    each = json.load(source)
verified = verify_step(each["body"], each["headers"], each["secret"])

print(
    json.dumps(
        {
            "withAttachment": len(one),
            "toList": len(two),
            "found": [each["email"] for each in listed["data"]],
            "iterated": iterated,
            "refused": refused.code,
            "requestId": refused.request_id is not None,
            "kinds": [each["kind"] for each in events],
            "step": verified.body,
            "imported": "string" if imported["jobId"] else None,
            "removed": removed["removed"],
        }
    )
)
