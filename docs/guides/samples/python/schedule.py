import json
import os
import urllib.request
from datetime import datetime, timedelta, timezone


def call(method, path, body=None, headers={}):
    request = urllib.request.Request(
        os.environ["POSTRIDER_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["POSTRIDER_API_KEY"],
            "Content-Type": "application/json",
            **headers,
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def in_hours(hours):
    return (datetime.now(timezone.utc) + timedelta(hours=hours)).isoformat()


reply = call("POST", "/v1/send", {
    "to": os.environ["TO"],
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Your appointment is tomorrow",
    "body": "<p>See you at 10:00.</p>",
    "scheduledAt": in_hours(1),
})
id = reply["data"]["emails"][0]["email"]

moved = call("PATCH", "/emails/" + id, {"scheduledAt": in_hours(2)})
print(moved["status"], moved["scheduledAt"])

cancelled = call("POST", f"/emails/{id}/cancel")
print(cancelled["status"], cancelled["reason"])
