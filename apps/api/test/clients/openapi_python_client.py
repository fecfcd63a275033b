"""Sends, reads a list and an error, imports a file, removes members and reads all kinds of webhooks, through openapi-python-client."""

import io
import json
import sys

from postrider import AuthenticatedClient
from postrider import models
from postrider.api.contacts import contacts_get, contacts_import, contacts_list
from postrider.api.segments import segments_add_members, segments_create, segments_remove_members
from postrider.api.sending import sending_send
from postrider.types import File

base_url, key, prefix, webhooks = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key)


def send(to, **more):
    body = models.SendEmailInput(
        to=to, subject="Hello", body="<p>Hello</p>", from_="hello@mail.example.com", **more
    )
    sent = sending_send.sync(client=client, body=body)
    assert isinstance(sent, models.SendingSendReply), sent
    return sent.data.emails


attachment = models.Attachment(filename="a.txt", content="SGVsbG8=", content_type="text/plain")
one = send(f"{prefix}-1@example.com", attachments=[attachment])
two = send([f"{prefix}-{n}@example.com" for n in (2, 3)])
listed = contacts_list.sync(client=client, search=prefix)
assert isinstance(listed, models.ContactsListReply), listed
refused = contacts_get.sync("01a1fbbb-6049-7208-955a-65aac1f35b72", client=client)
assert isinstance(refused, models.ErrorEnvelope), refused

csv = io.BytesIO(f"email\n{prefix}-4@example.com\n".encode())
file = File(payload=csv, file_name="contacts.csv", mime_type="text/csv")
imported = contacts_import.sync(client=client, body=models.ContactsImportInput(file=file))
assert isinstance(imported, models.QueuedJob), imported

segment = segments_create.sync(
    client=client,
    body=models.SegmentsCreateInput(name=prefix, type_=models.SegmentsCreateInputType("STATIC")),
)
assert isinstance(segment, models.Segment), segment
emails = [f"{prefix}-2@example.com"]
segments_add_members.sync(
    segment.id, client=client, body=models.SegmentsAddMembersInput(emails=emails)
)
removed = segments_remove_members.sync(
    segment.id, client=client, body=models.SegmentsRemoveMembersInput(emails=emails)
)
assert isinstance(removed, models.RemovedMembers), removed


def event_of(payload):
    """Reads the payload as that of a delivery. Each class takes one kind."""
    return models.WebhookDelivery.from_dict(
        {
            "id": "01a1fbbb-6049-7208-955a-65aac1f35b72",
            "type": payload["type"],
            "status": "DELIVERED",
            "attempts": [],
            "nextAttemptAt": None,
            "payload": payload,
            "createdAt": payload["timestamp"],
        }
    ).payload


with open(webhooks, encoding="utf8") as source:
    events = [event_of(each) for each in json.load(source)]

print(
    json.dumps(
        {
            "withAttachment": len(one),
            "toList": len(two),
            "found": [each.email for each in listed.data],
            "refused": refused.error.code,
            "kinds": [each.kind for each in events],
            "imported": "string" if imported.job_id else None,
            "removed": removed.removed,
        }
    )
)
