"""Sends, reads a list and an error, and reads all kinds of webhooks, through the client of openapi-generator for Python."""

import json
import sys

import openapi_client as postrider

base_url, key, prefix, webhooks = sys.argv[1:]
client = postrider.ApiClient(postrider.Configuration(host=base_url, access_token=key))
sending = postrider.SendingApi(client)
contacts = postrider.ContactsApi(client)


def send(to, **more):
    body = postrider.SendEmailInput(
        to=postrider.Recipients(to),
        subject="Hello",
        body="<p>Hello</p>",
        var_from=postrider.SendEmailInputFrom("hello@mail.example.com"),
        **more,
    )
    return sending.sending_send(body).data.emails


attachment = postrider.Attachment(filename="a.txt", content="SGVsbG8=", content_type="text/plain")
one = send(f"{prefix}-1@example.com", attachments=[attachment])
two = send([postrider.Recipient(email=f"{prefix}-{n}@example.com") for n in (2, 3)])
found = contacts.contacts_list(search=prefix).data
try:
    contacts.contacts_get("01a1fbbb-6049-7208-955a-65aac1f35b72")
    refused = None
except postrider.exceptions.NotFoundException as error:
    refused = postrider.ErrorEnvelope.from_json(error.body).error.code

with open(webhooks, encoding="utf8") as file:
    events = [postrider.WebhookEvent.from_dict(each).actual_instance for each in json.load(file)]

print(
    json.dumps(
        {
            "withAttachment": len(one),
            "toList": len(two),
            "found": [each.email for each in found],
            "refused": refused,
            "kinds": [each.kind for each in events],
        }
    )
)
