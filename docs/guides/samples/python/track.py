import json
import os
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


event = call("POST", "/events/track", {
    "email": os.environ["TO"],
    "event": "signed up",
    "data": {"firstName": "Ann", "plan": "pro"},
})
print(event["contactId"], event["id"])
