import base64
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


# For a file on the disk: open("orders.csv", "rb").read()
content = b"order,total\n1001,12.00\n"

reply = call("POST", "/v1/send", {
    "to": os.environ["TO"],
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Your orders of this month",
    "body": "<p>The list is attached.</p>",
    "attachments": [{"filename": "orders.csv", "content": base64.b64encode(content).decode()}],
})
print(reply["data"]["emails"][0]["email"])
