import json
import os
import urllib.error
import urllib.request


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


def send_once(email, key):
    """The emails of this request, whether it is accepted now or was accepted before."""
    try:
        return call("POST", "/v1/send", email, {"Idempotency-Key": key})["data"]["emails"]
    except urllib.error.HTTPError as error:
        refusal = json.load(error)["error"]
        if refusal["code"] != "IDEMPOTENCY_KEY_REUSED":
            raise RuntimeError(refusal) from None
        return refusal["details"]["emails"]


to = os.environ["TO"]
welcome = {
    "to": to,
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Welcome",
    "body": "<p>Good to have you here.</p>",
}
first = send_once(welcome, "welcome/" + to)
# The job runs again, perhaps on another machine: nothing is sent, and the result is the first one.
second = send_once(welcome, "welcome/" + to)
print(first[0]["email"], second[0]["email"])
