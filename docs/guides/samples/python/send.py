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
    "to": os.environ["TO"],
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Your order is on its way",
    "body": "<p>Hello Ann, order 1001 left our warehouse today.</p>",
})
for email in reply["data"]["emails"]:
    print(email["email"], email["to"], email["status"])
