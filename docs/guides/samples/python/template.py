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


reply = call("POST", "/v1/send", {
    "to": {"email": os.environ["TO"], "name": "Ann"},
    "template": "receipt",
    "strictVariables": True,
    "data": {
        "order": {"value": "1001", "persistent": False},
        "total": {"value": "12.00 EUR", "persistent": False},
    },
})
print(reply["data"]["emails"][0]["email"])
